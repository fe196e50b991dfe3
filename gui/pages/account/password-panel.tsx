import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { anyVersion, write } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { useMe } from '../../api/session.tsx'
import { Button } from '../../components/button/button.tsx'
import { TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormError } from '../../components/form-dialog/form-error.tsx'
import { Panel } from '../../components/page/page.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { account as texts } from '../../messages/account.ts'
import styles from './account.module.css'

const empty = { current: '', next: '', repeated: '' }

/** Form that changes the own password. */
export function PasswordPanel() {
  const { username } = useMe().attributes
  const [form, setForm] = useState(empty)
  const [differs, setDiffers] = useState(false)
  const toast = useToast()
  const cache = useQueryClient()
  const change = useMutation({
    mutationFn: () =>
      write(
        'PATCH',
        `/api/users/${encodeURIComponent(username)}`,
        { attributes: { current_password: form.current, password: form.next } },
        anyVersion,
      ),
    onSuccess: () => {
      setForm(empty)
      // The other sessions have ended.
      void cache.invalidateQueries({ queryKey: listKey('/api/tokens/sessions') })
      toast.done(texts.changed)
    },
  })
  const { fields, other } = fieldFaults(change.error, ['current_password', 'password'])
  const set = (name: keyof typeof empty) => (value: string) => setForm({ ...form, [name]: value })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setDiffers(form.next !== form.repeated)
    if (form.next === form.repeated && !change.isPending) change.mutate()
  }
  return (
    <Panel title={texts.password}>
      <form className={styles['form']} onSubmit={submit} noValidate>
        <TextField
          label={texts.current}
          type="password"
          autoComplete="current-password"
          value={form.current}
          onChange={set('current')}
          error={fields['current_password']}
        />
        <TextField
          label={texts.next}
          hint={texts.nextHint}
          type="password"
          autoComplete="new-password"
          value={form.next}
          onChange={set('next')}
          error={fields['password']}
        />
        <TextField
          label={texts.repeated}
          type="password"
          autoComplete="new-password"
          value={form.repeated}
          onChange={set('repeated')}
          error={differs ? texts.differs : undefined}
        />
        <FormError text={other} />
        <div>
          <Button type="submit" busy={change.isPending}>
            {texts.change}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
