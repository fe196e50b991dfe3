import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useDocument } from '../../api/queries.ts'
import { useMe } from '../../api/session.tsx'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { audit as texts } from '../../messages/audit.ts'
import { mayRead } from '../../shell/rights.ts'
import styles from './audit-page.module.css'

interface Trail {
  readonly data: { readonly attributes: { readonly head: { readonly seq: number; readonly hash: string } } }
}

/** Milliseconds between reads of the head of the chain. */
const every = 15_000
/** Number that no seal has reached, so that the answer has the head alone. */
const beyond = 999_999_999_999_999

/** Head of the hash chain and the commands that verify it, for people who may read the audit trail as a whole. */
export function ChainState() {
  const me = useMe()
  const [isOpen, setIsOpen] = useState(false)
  const { data } = useDocument<Trail>(
    '/api/admin/audit_trail',
    { after: beyond },
    { every, enabled: mayRead(me, '/admin/audit_trail') },
  )
  if (!data) return null
  const { seq, hash } = data.data.attributes.head
  const head = `${seq}:${hash}`
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <ShieldCheck size={16} aria-hidden />
        {texts.chain(seq)}
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title={texts.chainTitle} description={texts.chainDetail}>
        <div className={styles['section']}>
          <h3>{texts.head}</h3>
          <code className={styles['hash']}>{head}</code>
          <span className={styles['soft']}>{texts.headHint}</span>
        </div>
        <div className={styles['commands']}>
          {[...texts.commands, [texts.verifyHead, `sluice audit verify --head ${head}`] as const].map(
            ([what, command]) => (
              <div key={command}>
                <p>{what}</p>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command scrolls sideways, also by keyboard. */}
                <pre tabIndex={0}>
                  <code>{command}</code>
                </pre>
              </div>
            ),
          )}
        </div>
      </Dialog>
    </>
  )
}
