import { savedViews as texts } from '../../messages/saved-views.ts'
import { Confirm } from '../dialog/dialog.tsx'
import { useToast } from '../toast/toast.tsx'
import { useDeleteView, type ViewRecord } from './use-saved-views.ts'

interface RemoveViewProps {
  readonly view: ViewRecord
  readonly onClose: () => void
  readonly onRemoved: () => void
}

/** Asks before a view is deleted. */
export function RemoveView({ view, onClose, onRemoved }: RemoveViewProps) {
  const toast = useToast()
  const { name, shared_with } = view.attributes
  const remove = useDeleteView({
    onDone: () => {
      toast.done(texts.removed(name))
      onClose()
      onRemoved()
    },
    onError: error => {
      toast.failed(error)
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.removeTitle(name)}
      action={texts.removeAction}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate(view.id)}
    >
      <p>{shared_with === 'everyone' ? texts.removeShared : texts.removeDetail}</p>
    </Confirm>
  )
}
