import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sluice } from '../../../api/client.ts'
import { listKey } from '../../../api/keys.ts'
import { Confirm } from '../../../components/dialog/dialog.tsx'
import { Checkbox } from '../../../components/field/field.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { faultText } from '../../../components/state/state.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { keys as texts } from '../../../messages/security.ts'
import styles from '../part.module.css'

export const rotationsPath = '/api/admin/key_rotations'

/** Dialog that says what a rotation does before it starts one. */
export function RotateDialog({ onClose }: { onClose: () => void }) {
  const [withRoot, setWithRoot] = useState(false)
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sluice().create(rotationsPath, { root_key: withRoot }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: listKey(rotationsPath) })
      toast.done(texts.started)
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.title}
      action={texts.action}
      busy={isPending}
      onConfirm={() => mutate()}
    >
      <ul className={styles['effects']}>
        {texts.effects.map(each => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <div>
        <Checkbox label={texts.root} checked={withRoot} onChange={setWithRoot} />
        <p className={styles['soft']}>{texts.rootHint}</p>
      </div>
      <FormError text={error ? faultText(error) : undefined} />
    </Confirm>
  )
}
