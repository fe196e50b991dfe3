import { Button } from '../../components/button/button.tsx'
import { DecisionDialog } from '../../components/decision/decision-dialog.tsx'
import { Confirm, Dialog } from '../../components/dialog/dialog.tsx'
import { TextArea, TextField } from '../../components/field/field.tsx'
import { waitingStep } from '../samples.ts'

const close = () => {}
const steps = Array.from({ length: 40 }, (_, i) => i + 1)

export function DialogPage() {
  return (
    <Dialog
      open
      onClose={close}
      title="Create an environment"
      description="An environment groups the assets of one stage, such as test or live."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary">Create environment</Button>
        </>
      }
    >
      <TextField
        label="Code"
        value="live"
        onChange={close}
        error="An environment of this project has this code already."
        hint="Lower-case letters, digits and hyphens; part of every path below it."
      />
      <TextField label="Name" value="Live" onChange={close} />
      <TextArea label="Description" value="" onChange={close} />
    </Dialog>
  )
}

export function ConfirmPage() {
  return (
    <Confirm
      open
      onClose={close}
      title="Destroy /projects/bank/environments/test"
      description="The environment, its 14 assets and their history are deleted. This cannot be undone."
      action="Destroy the environment"
      danger
      typed="test"
      typedLabel="Type the code of the environment: test"
      onConfirm={close}
    />
  )
}

export function SheetPage() {
  return (
    <Dialog
      open
      kind="sheet"
      onClose={close}
      title="Run on bank / live / front"
      description="Choose an action and check its plan."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" busy>
            Run now
          </Button>
        </>
      }
    >
      <TextField label="Action" value="rollout" onChange={close} />
      {steps.map(step => (
        <p key={step}>Step {step}</p>
      ))}
    </Dialog>
  )
}

export function DecisionDialogPage() {
  return <DecisionDialog type="step" step={waitingStep} decision="approve" onClose={close} />
}
