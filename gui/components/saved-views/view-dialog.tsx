import { useState } from 'react'
import { savedViews as texts } from '../../messages/saved-views.ts'
import { Checkbox, TextField } from '../field/field.tsx'
import { fieldFaults } from '../field/field-faults.ts'
import { FormDialog } from '../form-dialog/form-dialog.tsx'
import styles from './saved-views.module.css'
import { useSaveView, type ViewRecord } from './use-saved-views.ts'

interface ViewDialogProps {
  /** View that is edited; without it one is created from `list` and `query`. */
  readonly view?: ViewRecord
  readonly list: string
  readonly query: string
  readonly onDone: (view: ViewRecord) => void
  readonly onClose: () => void
}

/** Form for the name of a view and who can use it. */
export function ViewDialog({ view, list, query, onDone, onClose }: ViewDialogProps) {
  const [name, setName] = useState(view?.attributes.name ?? '')
  const [isShared, setIsShared] = useState(view?.attributes.shared_with === 'everyone')
  // The view of the list may change while the dialog is open.
  const [first] = useState(view?.attributes)
  const save = useSaveView({ onDone })
  const { fields, other } = fieldFaults(save.error, ['name'])
  const submit = () => {
    const shared_with = isShared ? ('everyone' as const) : ('private' as const)
    if (!view || !first) return save.mutate({ attributes: { name, list, query, shared_with } })
    const attributes = {
      ...(name !== first.name && { name }),
      ...(shared_with !== first.shared_with && { shared_with }),
    }
    // A second attempt is made over the view as it is now.
    save.mutate({ view: save.isError ? view : { ...view, attributes: first }, attributes })
  }
  return (
    <FormDialog
      title={view ? texts.editTitle(view.attributes.name) : texts.createTitle}
      description={view ? undefined : texts.createDetail}
      action={view ? texts.save : texts.create}
      busy={save.isPending}
      error={other}
      onSubmit={submit}
      onClose={onClose}
      isChecked
    >
      <TextField
        label={texts.name}
        value={name}
        onChange={setName}
        error={fields['name']}
        autoComplete="off"
        required
      />
      <div>
        <Checkbox label={texts.share} checked={isShared} onChange={setIsShared} />
        <p className={styles['hint']}>{texts.shareHint}</p>
      </div>
    </FormDialog>
  )
}
