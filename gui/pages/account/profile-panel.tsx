import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { useMe, useSession } from '../../api/session.tsx'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { formFaults } from '../../components/field/faults.ts'
import { TextField } from '../../components/field/field.tsx'
import { Panel } from '../../components/page/page.tsx'
import { faultText } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { account as texts } from '../../messages/account.ts'
import { isSuperuser } from '../../shell/rights.ts'
import styles from './account.module.css'

const pointers = { name: '/data/attributes/display_name', email: '/data/attributes/email_address' }

/** Profile of the signed-in user; local users change their name and mail address here. */
export function ProfilePanel() {
  const me = useMe()
  const { username, auth_provider: provider, groupnames } = me.attributes
  const groups = Array.isArray(groupnames) ? groupnames.join(', ') : ''
  return (
    <Panel title={texts.profile}>
      <div className={styles['stack']}>
        <dl className={styles['facts']}>
          <dt>{texts.username}</dt>
          <dd>
            {username} {isSuperuser(me) && <Tag>{texts.superuser}</Tag>}
          </dd>
          <dt>{texts.provider}</dt>
          <dd>{texts.providers[provider]}</dd>
          <dt>{texts.groups}</dt>
          <dd>{groups || texts.noGroups}</dd>
        </dl>
        {provider === 'local' ? <ProfileForm /> : <p className={styles['soft']}>{texts.fromDirectory}</p>}
        <div className={styles['links']}>
          <Link to="/access" search={{ view: 'check' }}>
            {texts.myRights}
          </Link>
          <Link to="/audit" search={{ user: username }}>
            {texts.myEvents}
          </Link>
        </div>
      </div>
    </Panel>
  )
}

/** An empty text is no text. */
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

function ProfileForm() {
  const { username, display_name, email_address } = useMe().attributes
  const { reload } = useSession()
  const [name, setName] = useState(display_name ?? '')
  const [email, setEmail] = useState(email_address ?? '')
  const toast = useToast()
  const save = useMutation({
    mutationFn: () =>
      sluice().call('PATCH /api/users/{username}', {
        path: { username },
        attributes: { display_name: orNull(name), email_address: orNull(email) },
      }),
    onSuccess: async () => {
      await reload()
      toast.done(texts.saved)
    },
  })
  const faults = formFaults(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <TextField label={texts.displayName} value={name} onChange={setName} error={faults.at(pointers.name)} />
      <TextField label={texts.email} type="email" value={email} onChange={setEmail} error={faults.at(pointers.email)} />
      {faults.hasOthers(Object.values(pointers)) && <p role="alert">{faultText(save.error)}</p>}
      <div>
        <Button type="submit" busy={save.isPending}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}
