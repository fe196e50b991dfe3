import { useMutation } from '@tanstack/react-query'
import type { Resource } from '../../api/records.ts'
import { NameDialog } from '../../components/name-dialog/name-dialog.tsx'

const ignore = () => {}

/** Name and description that somebody else has changed as well. */
export function NameDialogPage() {
  const save = useMutation<Resource>({ mutationFn: () => Promise.reject(new Error('The gallery has no service.')) })
  return (
    <NameDialog
      title="Name of the environment"
      labels={{ name: 'Name', description: 'Description' }}
      edit={{
        values: { name: 'Live', description: 'What customers use' },
        set: ignore,
        save,
        conflict: { name: 'Live site' },
        takeTheirs: ignore,
      }}
      onClose={ignore}
    />
  )
}
