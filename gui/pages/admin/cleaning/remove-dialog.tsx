import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sluice } from '../../../api/client.ts'
import { listKey } from '../../../api/keys.ts'
import { Confirm } from '../../../components/dialog/dialog.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { faultText } from '../../../components/state/state.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { cleaning as texts } from '../../../messages/cleaning.ts'
import { type Rule, rulesPath } from './rule.ts'

/** Dialog that deletes a retention rule. */
export function RemoveDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { name } = rule.attributes
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sluice().remove(`${rulesPath}/${rule.id}`),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: listKey(rulesPath) })
      toast.done(texts.removed(name))
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.removeTitle(name)}
      description={texts.removeDetail}
      action={texts.removeAction}
      danger
      busy={isPending}
      onConfirm={() => mutate()}
    >
      <FormError text={error ? faultText(error) : undefined} />
    </Confirm>
  )
}
