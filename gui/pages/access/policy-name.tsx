import type { AuthorisationPolicy, Resource } from '../../api/records.ts'
import { useEdit } from '../../api/use-edit.ts'
import { NameDialog, type Naming, namingOf } from '../../components/name-dialog/name-dialog.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'

interface PolicyNameProps {
  readonly policy: Resource<AuthorisationPolicy>
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Dialog for the name and description of a policy. */
export function PolicyNameDialog({ policy, onClose, onSaved }: PolicyNameProps) {
  const toast = useToast()
  const edit = useEdit<'authorisation_policy', Naming>({
    path: `/api/authorisation_policies/${policy.id}`,
    initial: namingOf(policy.attributes),
    valuesOf: namingOf,
    attributesOf: ({ name, description }) => ({ name, description: description === '' ? null : description }),
    onSaved: () => {
      toast.done(texts.saved)
      onSaved()
      onClose()
    },
  })
  return (
    <NameDialog
      title={texts.editPolicyTitle}
      labels={{ name: texts.name, description: texts.description }}
      edit={edit}
      onClose={onClose}
    />
  )
}
