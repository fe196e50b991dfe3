import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { sluice } from '../../../api/client.ts'
import { useDocument } from '../../../api/queries.ts'
import type { Document } from '../../../api/records.ts'
import { Button, IconButton } from '../../../components/button/button.tsx'
import { useCopy } from '../../../components/copy/use-copy.ts'
import { Panel } from '../../../components/page/page.tsx'
import { Loaded } from '../../../components/state/query-states.tsx'
import { faultText } from '../../../components/state/state.tsx'
import { Time } from '../../../components/time/time.tsx'
import { trail as texts } from '../../../messages/security.ts'
import { every } from '../every.ts'
import { Explained } from '../explained.tsx'
import styles from '../part.module.css'

interface Trail {
  readonly data: {
    readonly attributes: {
      readonly head: { readonly seq: number; readonly hash: string }
      readonly seals: readonly { readonly created_at: string | null }[]
    }
  }
}

const path = '/api/admin/audit_trail'
/** Number that no seal has reached, so that the answer has the head alone. */
const beyond = 999_999_999_999_999

/** State of the audit trail, and the commands that verify it. */
export default function TrailPart() {
  const query = useDocument<Trail>(path, { after: beyond }, { every })
  return (
    <div className={styles['stack']}>
      <Panel title={texts.head}>
        <Loaded query={query}>{({ data }) => <Head {...data.attributes.head} />}</Loaded>
      </Panel>
      <Panel title={texts.verify}>
        <div className={styles['stack']}>
          <p>{texts.verifyDetail}</p>
          {texts.commands.map(([what, command]) => (
            <div key={command} className={styles['command']}>
              <p className={styles['soft']}>{what}</p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command scrolls sideways, also by keyboard. */}
              <pre tabIndex={0}>
                <code>{command}</code>
              </pre>
            </div>
          ))}
        </div>
      </Panel>
    </div>
  )
}

function Head({ seq, hash }: { seq: number; hash: string }) {
  const copy = useCopy()
  const last = useDocument<Trail>(path, { after: Math.max(0, seq - 1) }, { enabled: seq > 0 })
  const head = `${seq}:${hash}`
  return (
    <dl className={styles['details']}>
      <div>
        <dt>
          <Explained text={texts.sealedUpTo} about={texts.sealedUpToAbout} />
        </dt>
        <dd>{seq === 0 ? texts.nothingSealed : texts.seal(seq.toLocaleString('en'))}</dd>
      </div>
      <div>
        <dt>
          <Explained text={texts.lastEvent} about={texts.lastEventAbout} />
        </dt>
        <dd>
          <Time at={last.data?.data.attributes.seals[0]?.created_at} />
        </dd>
      </div>
      <div>
        <dt>
          <Explained text={texts.hash} about={texts.hashAbout} />
        </dt>
        <dd className={styles['status']}>
          <code>{head}</code>
          <IconButton label={texts.copy} variant="quiet" size="small" onClick={() => void copy(head, texts.copied)}>
            <Copy size={14} aria-hidden />
          </IconButton>
        </dd>
      </div>
      <div>
        <dt>
          <Explained text={texts.unsealed} about={texts.unsealedAbout} />
        </dt>
        <dd>
          <Unsealed />
        </dd>
      </div>
    </dl>
  )
}

type Page = Document<{ attributes: { event_ids: readonly string[] } }>

/** Number of events without a seal. All events are walked through for it, so it is counted on request. */
function Unsealed() {
  const [found, setFound] = useState(0)
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      let count = 0
      for (let next: string | undefined = `${path}/unsealed`; next !== undefined; ) {
        const page: Page = await sluice().document<Page>(next)
        count += page.data.attributes.event_ids.length
        setFound(count)
        next = page.links?.next
      }
    },
  })
  const count = found.toLocaleString('en')
  return (
    <span className={styles['line']} role="status">
      {isPending ? (
        texts.checking(count)
      ) : error ? (
        <span className={styles['failed']}>{faultText(error)}</span>
      ) : isSuccess ? (
        <span className={found > 0 ? styles['failed'] : undefined}>
          {found === 0 ? texts.noneUnsealed : texts.someUnsealed(count)}
        </span>
      ) : null}
      {!isPending && (
        <Button size="small" onClick={() => mutate()}>
          {texts.check}
        </Button>
      )}
    </span>
  )
}
