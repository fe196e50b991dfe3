import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { sluice } from '../../api/client.ts'
import type { Document, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { faultText } from '../../components/state/state.tsx'
import { useNow } from '../../components/time/clock.ts'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'

const secondsShown = 30

interface SecretValueProps {
  /** `secret://projects/bank/database/password` */
  readonly reference: string
  /** Node whose properties refer to the secret. */
  readonly nodePath: string
  readonly disabledReason: string | undefined
}

/** Secret behind dots. It is revealed after a warning that this is recorded, and hidden again after 30 seconds. */
export function SecretValue({ reference, nodePath, disabledReason }: SecretValueProps) {
  const [isAsking, setIsAsking] = useState(false)
  const resolve = useMutation({
    mutationFn: () =>
      sluice().send('POST', '/api/secrets/resolve', {
        data: { attributes: { node_path: nodePath, reference } },
      }) as Promise<Document<Resource<{ value: string }>>>,
    onSuccess: () => setIsAsking(false),
    gcTime: 0,
  })
  const value = resolve.data?.data.attributes.value
  return (
    <span className={styles['secret']}>
      <KeyRound size={14} role="img" aria-label={texts.secret} />
      {value === undefined ? (
        <>
          <span title={reference} aria-hidden>
            ••••••
          </span>
          <Button size="small" variant="quiet" disabledReason={disabledReason} onClick={() => setIsAsking(true)}>
            {texts.reveal}
          </Button>
        </>
      ) : (
        <Revealed value={value} onHide={resolve.reset} />
      )}
      <Confirm
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={texts.revealTitle}
        description={texts.revealDetail(reference)}
        action={texts.revealAction}
        busy={resolve.isPending}
        onConfirm={() => resolve.mutate()}
      >
        {resolve.isError && (
          <p role="alert" className={styles['error']}>
            {faultText(resolve.error)}
          </p>
        )}
      </Confirm>
    </span>
  )
}

function Revealed({ value, onHide }: { value: string; onHide: () => void }) {
  const [until] = useState(() => Date.now() + secondsShown * 1_000)
  const left = Math.min(secondsShown, Math.ceil((until - useNow()) / 1_000))
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) onHide()
  }, [isOver, onHide])
  return (
    <>
      <code className={styles['revealed']}>{value}</code>
      <span className={styles['soft']}>{texts.secondsLeft(left)}</span>
      <Button size="small" variant="quiet" onClick={onHide}>
        {texts.hide}
      </Button>
    </>
  )
}
