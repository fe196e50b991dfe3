import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { anyVersion, write } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { Checkbox, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { templates } from '../../messages/templates.ts'

const texts = templates.versionDialog

/** Dialog that creates a version of a template, which begins its fetch. */
export function VersionDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [version, setVersion] = useState('')
  const [revision, setRevision] = useState('main')
  const [follows, setFollows] = useState(false)
  const [isFixed, setIsFixed] = useState(false)
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
  return (
    <FormDialog
      title={texts.title}
      action={texts.submit}
      busy={isPending}
      error={other}
      onSubmit={() => mutate()}
      onClose={onClose}
      isChecked
    >
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
    </FormDialog>
  )
}
