import { useState } from 'react'
import { useDocument } from '../../api/queries.ts'
import { isStatus } from '../../api/query-client.ts'
import type { Document, Resource } from '../../api/records.ts'
import { Loaded } from '../../components/state/query-states.tsx'
import { activity as texts } from '../../messages/activity.ts'
import styles from './activity-page.module.css'
import { DocumentText } from './document-text.tsx'

/** Settings that a change runs with, its overrides included; read once they are opened. */
export function ChangeSettings({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={styles['document']} onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary>{texts.settingsOfChange}</summary>
      {isOpen && <Settings id={id} />}
    </details>
  )
}

function Settings({ id }: { id: string }) {
  const query = useDocument<Document<Resource<{ data: unknown }>>>(`/api/changes/${id}/converged_settings`)
  if (isStatus(query.error, 403)) return <p>{texts.settingsForbidden}</p>
  return (
    <Loaded query={query} skeleton={3}>
      {({ data: { attributes } }) => <DocumentText label={texts.settingsInForce} value={attributes.data} />}
    </Loaded>
  )
}
