import { NameDialog } from '../../components/name-dialog/name-dialog.tsx'

const ignore = () => {}

/** Name and description that somebody else has changed as well. */
export function NameDialogPage() {
  return (
    <NameDialog
      title="Name of the environment"
      labels={{ name: 'Name', description: 'Description' }}
      edit={{
        values: { name: 'Live', description: 'What customers use' },
        set: ignore,
        save: ignore,
        isSaving: false,
        error: null,
        conflict: { name: 'Live site' },
        takeTheirs: ignore,
      }}
      onClose={ignore}
    />
  )
}
