import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { anyVersion, write } from '../../api/client.ts'
import { fieldFaults } from '../../api/field-faults.ts'
import { listKey } from '../../api/keys.ts'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Checkbox, TextField } from '../../components/field/field.tsx'
import { general } from '../../messages/general.ts'
import { templates } from '../../messages/templates.ts'
import { FormError } from '../projects/dialogs/form-error.tsx'
import styles from './templates-page.module.css'

const texts = templates.versionDialog

/** Dialog that creates a version of a template, which begins its fetch. */
export function VersionDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [version, setVersion] = useState('')
  const [revision, setRevision] = useState('main')
  const [follows, setFollows] = useState(false)
  const [isFixed, setIsFixed] = useState(false)
  const formId = useId()
  const cache = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      write(
        'PUT',
        `${path}/versions/${encodeURIComponent(version)}`,
        {
          attributes: {
            git_rev: revision,
            ...(follows && { float_git_rev: true }),
            ...(isFixed && { locked: true }),
          },
        },
        anyVersion,
      ),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: listKey(`${path}/versions`) })
      onClose()
    },
  })
  const { fields, other } = fieldFaults(error, ['git_rev', 'version'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.title}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button variant="primary" type="submit" form={formId} busy={isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles['form']} onSubmit={submit}>
        <TextField
          label={texts.version}
          hint={texts.versionHint}
          value={version}
          onChange={setVersion}
          error={fields['version']}
          required
          autoFocus
          autoComplete="off"
        />
        <TextField
          label={texts.revision}
          hint={texts.revisionHint}
          value={revision}
          onChange={setRevision}
          error={fields['git_rev']}
          required
          autoComplete="off"
          spellCheck={false}
        />
        <Checkbox label={texts.follow} checked={follows} onChange={setFollows} />
        <Checkbox label={texts.fixed} checked={isFixed} onChange={setIsFixed} />
        <FormError text={other} />
      </form>
    </Dialog>
  )
}
