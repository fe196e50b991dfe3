import { CommandButton } from '../../components/command/command-button.tsx'
import { CommandLine } from '../../components/command/command-line.tsx'
import { Specimen } from '../specimen.tsx'

const command = 'sluice activities --filter status=error'
const long = 'sluice changes create --on /projects/bank/environments/live/assets/front --action rollout'

export function CommandPage() {
  return (
    <>
      <Specimen title="Commands, also a long one">
        <CommandLine command={command} />
        <CommandLine command={long} />
      </Specimen>
      <Specimen title="Button of a page" row>
        <CommandButton commands={[command]} />
      </Specimen>
    </>
  )
}
