import { useState } from 'react'
import { useList } from '../../../api/queries.ts'
import type { KeyRotation, Resource } from '../../../api/records.ts'
import { useMe } from '../../../api/session.tsx'
import { Button } from '../../../components/button/button.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { ListStates } from '../../../components/state/query-states.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { StatusIcon } from '../../../components/status/status.tsx'
import { Duration, Time } from '../../../components/time/time.tsx'
import { general } from '../../../messages/general.ts'
import { keys as texts } from '../../../messages/security.ts'
import { mayUpdate } from '../../../shell/rights.ts'
import { every } from '../every.ts'
import styles from '../part.module.css'
import { RotateDialog, rotationsPath } from './rotate-dialog.tsx'

/** Milliseconds between reads while a rotation makes progress. */
const progressEvery = 2_000
const right = '/admin/key_rotations'

/** Rotations of the encryption keys; one that is in progress is followed. */
export default function KeysPart() {
  const [isAsked, setIsAsked] = useState(false)
  const [isActive, setIsActive] = useState(false)
  const { records, query } = useList<'key_rotation'>(rotationsPath, {}, { every: isActive ? progressEvery : every })
  const isUnderWay = records.some(({ attributes }) => attributes.finished_at === null)
  if (isUnderWay !== isActive) setIsActive(isUnderWay)
  const isPermitted = mayUpdate(useMe(), right)
  const reason = isPermitted ? (isUnderWay ? texts.inProgress : undefined) : general.needsRight('update', right)
  const start = (
    <Button size="small" disabledReason={reason} onClick={() => setIsAsked(true)}>
      {texts.start}
    </Button>
  )
  return (
    <>
      <ListStates
        query={query}
        count={records.length}
        empty={
          <Panel>
            <EmptyState title={texts.none} command={texts.command}>
              <p>{texts.noneDetail}</p>
              {start}
            </EmptyState>
          </Panel>
        }
      >
        <Panel title={texts.rotations} flush actions={start}>
          <ul className={styles['rows']}>
            {records.map(rotation => (
              <Rotation key={rotation.id} rotation={rotation} />
            ))}
          </ul>
        </Panel>
      </ListStates>
      {isAsked && <RotateDialog onClose={() => setIsAsked(false)} />}
    </>
  )
}

const stages = ['announced', 'switching', 'resealing'] as const

function Rotation({ rotation: { attributes } }: { rotation: Resource<KeyRotation> }) {
  const { status, data_key, root_key, resealed, waiting_for, created_by, created_at, finished_at } = attributes
  const isDone = status === 'success'
  return (
    <li>
      <StatusIcon status={isDone ? 'success' : 'running'} />
      <div className={styles['grow']}>
        <strong>{texts.dataKey(data_key, root_key)}</strong>
        <p>
          {!isDone && `${texts.step(stages.indexOf(status) + 1)} · `}
          {texts.stages[status]}
          {(isDone || status === 'resealing') && ` · ${texts.resealed(resealed.toLocaleString('en'))}`}
        </p>
        {waiting_for !== null && <p className={styles['warning']}>{texts.waitsFor(waiting_for)}</p>}
        <p className={styles['soft']}>
          <Time at={created_at} /> {texts.by(created_by)}
        </p>
      </div>
      <Duration from={created_at} to={finished_at} />
    </li>
  )
}
