import { useBlocker } from '@tanstack/react-router'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { workflowEditor as texts } from '../../messages/workflows.ts'
import type { Definition } from './use-definition.ts'

/** Asks before the page is left with unsaved changes. */
export function LeaveDialog({ definition: { isDirty, isSaving, save } }: { definition: Definition }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  const saveAndLeave = async () => {
    if (await save()) proceed()
    else reset()
  }
  return (
    <Dialog
      open
      onClose={reset}
      title={texts.leaveTitle}
      description={texts.leaveDetail}
      footer={
        <>
          <Button onClick={reset}>{texts.stay}</Button>
          <Button variant="danger" onClick={proceed}>
            {texts.discard}
          </Button>
          <Button variant="primary" busy={isSaving} onClick={() => void saveAndLeave()}>
            {texts.saveAndLeave}
          </Button>
        </>
      }
    />
  )
}
