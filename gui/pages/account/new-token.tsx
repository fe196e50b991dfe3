import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { Button } from '../../components/button/button.tsx'
import { useCopy } from '../../components/copy/use-copy.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Select, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { account as texts } from '../../messages/account.ts'
import styles from './account.module.css'

const day = 86_400_000

/** Creates a token, whose secret is in this one answer only. */
async function createToken(description: string, days: number): Promise<string> {
  const attributes = { description, expires_at: new Date(Date.now() + days * day).toISOString() }
  const answer = await sluice().send('POST', '/api/tokens', { data: { attributes } })
  return String(answer?.meta?.['token'])
}

/** Dialog that creates an API token and then shows it once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [description, setDescription] = useState('')
  const [days, setDays] = useState('90')
  const cache = useQueryClient()
  const create = useMutation({
    mutationFn: () => createToken(description, Number(days)),
    onSuccess: () => void cache.invalidateQueries({ queryKey: listKey('/api/tokens') }),
    // The secret leaves the memory with the dialog.
    gcTime: 0,
  })
  const { fields, other } = fieldFaults(create.error, ['description'])
  if (create.data !== undefined) return <TokenDialog token={create.data} onClose={onClose} />
  return (
    <FormDialog
      title={texts.newTokenTitle}
      action={texts.create}
      busy={create.isPending}
      error={other}
      onSubmit={() => create.mutate()}
      onClose={onClose}
      isChecked
    >
      <TextField
        label={texts.description}
        hint={texts.descriptionHint}
        value={description}
        onChange={setDescription}
        error={fields['description']}
        required
      />
      <Select label={texts.expires} value={days} onChange={setDays} options={Object.entries(texts.lifetimes)} />
    </FormDialog>
  )
}

function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const copy = useCopy()
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.tokenTitle}
      description={texts.tokenDetail}
      footer={
        <Button variant="primary" onClick={onClose}>
          {texts.done}
        </Button>
      }
    >
      <div className={styles['secret']}>
        <TextField
          label={texts.tokenLabel}
          value={token}
          readOnly
          onChange={() => {}}
          onFocus={event => event.currentTarget.select()}
        />
        <Button onClick={() => void copy(token)}>
          <Copy size={16} aria-hidden />
          {texts.copyToken}
        </Button>
      </div>
      <p className={styles['soft']}>{texts.tokenExample}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command scrolls sideways, also by keyboard. */}
      <pre className={styles['example']} tabIndex={0}>
        <code>{`curl -H "Authorization: Bearer $TOKEN" ${location.origin}/api/me`}</code>
      </pre>
    </Dialog>
  )
}
