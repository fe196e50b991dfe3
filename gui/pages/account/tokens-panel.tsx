import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { useList } from '../../api/queries.ts'
import type { Resource, Token } from '../../api/records.ts'
import { Button, IconButton } from '../../components/button/button.tsx'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { Panel } from '../../components/page/page.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { faultText } from '../../components/state/state.tsx'
import { useNow } from '../../components/time/clock.ts'
import { Time } from '../../components/time/time.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { account as texts } from '../../messages/account.ts'
import { general } from '../../messages/general.ts'
import styles from './account.module.css'
import { NewTokenDialog } from './new-token.tsx'

/** The user's own API tokens. */
export function TokensPanel() {
  const [isCreating, setIsCreating] = useState(false)
  const [removed, setRemoved] = useState<Resource<Token>>()
  const { records, query } = useList<'token'>('/api/tokens', { 'filter[mine]': true })
  return (
    <Panel
      title={texts.tokens}
      actions={
        <Button size="small" onClick={() => setIsCreating(true)}>
          <Plus size={15} aria-hidden />
          {texts.newToken}
        </Button>
      }
    >
      <div className={styles['stack']}>
        <p className={styles['soft']}>{texts.tokensDetail}</p>
        <ListStates query={query} count={records.length} skeleton={2} empty={<p>{texts.noTokens}</p>}>
          <ul className={styles['tokens']} aria-label={texts.tokens}>
            {records.map(token => (
              <TokenItem key={token.id} token={token} onRemove={() => setRemoved(token)} />
            ))}
          </ul>
        </ListStates>
        {query.hasNextPage && <Button onClick={() => void query.fetchNextPage()}>{general.loadMore}</Button>}
      </div>
      {isCreating && <NewTokenDialog onClose={() => setIsCreating(false)} />}
      {removed && <RemoveDialog token={removed} onClose={() => setRemoved(undefined)} />}
    </Panel>
  )
}

function TokenItem({ token: { attributes }, onRemove }: { token: Resource<Token>; onRemove: () => void }) {
  const now = useNow()
  const isExpired = Date.parse(attributes.expires_at) < now
  return (
    <li>
      <span className={styles['token']}>
        <strong>{attributes.description}</strong>
        <span className={styles['small']}>
          {texts.created} <Time at={attributes.created_at} /> · {isExpired ? texts.expired : texts.expiresIn}{' '}
          <Time at={attributes.expires_at} />
        </span>
      </span>
      <IconButton label={texts.remove(attributes.description)} variant="quiet" onClick={onRemove}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </li>
  )
}

function RemoveDialog({ token, onClose }: { token: Resource<Token>; onClose: () => void }) {
  const cache = useQueryClient()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => sluice().remove(`/api/tokens/${token.id}`),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: listKey('/api/tokens') })
      toast.done(texts.removed)
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.removeTitle(token.attributes.description)}
      description={texts.removeDetail}
      action={texts.removeAction}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {remove.isError && <p role="alert">{faultText(remove.error)}</p>}
    </Confirm>
  )
}
