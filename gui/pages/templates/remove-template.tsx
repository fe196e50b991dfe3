import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import { useToast } from '../../components/toast/toast.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { ConfirmUnused } from '../projects/dialogs/confirm-unused.tsx'
import { refreshTemplate } from './refresh-template.ts'
import type { ShownTemplate } from './shown-template.ts'

/** Dialog that deletes a template with its versions; a refusal names what has used it. */
export function RemoveTemplate({ template, path, onClose }: ShownTemplate & { readonly onClose: () => void }) {
  const { name } = template.attributes
  const cache = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sluice().remove(path),
    onSuccess: async () => {
      toast.done(texts.templateRemoved(name))
      await navigate({ to: '/templates', search: {} })
      cache.removeQueries({ queryKey: recordKey(path) })
      await refreshTemplate(cache, path)
    },
  })
  return (
    <ConfirmUnused
      danger
      title={texts.removeTemplateTitle(name)}
      description={texts.removeTemplateDetail}
      action={texts.removeAction}
      busy={isPending}
      onClose={onClose}
      onConfirm={() => mutate()}
      error={error}
    />
  )
}
