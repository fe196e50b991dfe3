import { type FormEvent, useId, useState } from 'react'
import { general } from '../../messages/general.ts'
import { savedViews as texts } from '../../messages/saved-views.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { formFaults } from '../field/faults.ts'
import { Checkbox, TextField } from '../field/field.tsx'
import { faultText } from '../state/state.tsx'
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

const namePointer = '/data/attributes/name'

/** Form for the name of a view and who can use it. */
export function ViewDialog({ view, list, query, onDone, onClose }: ViewDialogProps) {
  const [name, setName] = useState(view?.attributes.name ?? '')
  const [isShared, setIsShared] = useState(view?.attributes.shared_with === 'everyone')
  const form = useId()
  const save = useSaveView({ onDone })
  const { at, hasOthers } = formFaults(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    const shared_with = isShared ? ('everyone' as const) : ('private' as const)
    save.mutate(
      view ? { id: view.id, attributes: { name, shared_with } } : { attributes: { name, list, query, shared_with } },
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={view ? texts.editTitle(view.attributes.name) : texts.createTitle}
      description={view ? undefined : texts.createDetail}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={save.isPending}>
            {view ? texts.save : texts.create}
          </Button>
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={submit} noValidate>
        <TextField label={texts.name} value={name} onChange={setName} error={at(namePointer)} autoComplete="off" />
        <div>
          <Checkbox label={texts.share} checked={isShared} onChange={setIsShared} />
          <p className={styles['hint']}>{texts.shareHint}</p>
        </div>
        {hasOthers([namePointer]) && (
          <p className={styles['error']} role="alert">
            {faultText(save.error)}
          </p>
        )}
      </form>
    </Dialog>
  )
}
