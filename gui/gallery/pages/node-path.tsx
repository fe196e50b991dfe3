import { NodePath } from '../../components/node-path/node-path.tsx'
import { Specimen } from '../specimen.tsx'

const path = '/projects/bank/environments/live/assets/front'
const long = '/projects/retail-banking/environments/production-frankfurt/assets/payment-gateway-frontend'

export function NodePathPage() {
  return (
    <>
      <Specimen title="Text, links, none">
        <NodePath path={path} />
        <NodePath path={path} links />
        <NodePath path={null} />
      </Specimen>
      <Specimen title="Long: wrapped, and in one line">
        <NodePath path={long} links />
        <NodePath path={long} links line />
      </Specimen>
    </>
  )
}
