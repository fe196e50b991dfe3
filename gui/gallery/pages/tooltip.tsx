import { Button } from '../../components/button/button.tsx'
import { Tooltip } from '../../components/tooltip/tooltip.tsx'
import { Specimen } from '../specimen.tsx'

export function TooltipPage() {
  return (
    <Specimen title="Open" row wide>
      <Tooltip text="You need the right &quot;execute&quot; on /projects/retail-banking/environments/production-frankfurt to run this action.">
        <Button data-opens>Run now</Button>
      </Tooltip>
    </Specimen>
  )
}
