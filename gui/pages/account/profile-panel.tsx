import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import type { User } from '../../api/records.ts'
import { useMe, useSession } from '../../api/session.tsx'
import { useEdit } from '../../api/use-edit.ts'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { Conflict } from '../../components/conflict/conflict.tsx'
import { TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormError } from '../../components/form-dialog/form-error.tsx'
import { Panel } from '../../components/page/page.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { account as texts } from '../../messages/account.ts'
import { isSuperuser } from '../../shell/rights.ts'
import styles from './account.module.css'

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

const profileOf = ({ display_name: name, email_address: email }: Pick<User, 'display_name' | 'email_address'>) => ({
  name: name ?? '',
  email: email ?? '',
})

function ProfileForm() {
  const { username, display_name, email_address } = useMe().attributes
  const { reload } = useSession()
  const toast = useToast()
  const { values, set, save, isSaving, error, conflict, takeTheirs } = useEdit<'user', ReturnType<typeof profileOf>>({
    path: `/api/users/${encodeURIComponent(username)}`,
    initial: profileOf({ display_name, email_address }),
    valuesOf: profileOf,
    attributesOf: ({ name, email }) => ({ display_name: orNull(name), email_address: orNull(email) }),
    onSaved: async () => {
      await reload()
      toast.done(texts.saved)
    },
  })
  const { fields, other } = fieldFaults(error, ['display_name', 'email_address'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isSaving) save()
  }
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <TextField
        label={texts.displayName}
        value={values.name}
        onChange={name => set({ name })}
        error={fields['display_name']}
      />
      <TextField
        label={texts.email}
        type="email"
        value={values.email}
        onChange={email => set({ email })}
        error={fields['email_address']}
      />
      {conflict && (
        <Conflict
          theirs={conflict}
          labels={{ name: texts.displayName, email: texts.email }}
          onTakeTheirs={takeTheirs}
        />
      )}
      <FormError text={other} />
      <div>
        <Button type="submit" busy={isSaving}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}
