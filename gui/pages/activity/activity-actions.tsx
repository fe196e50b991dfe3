import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pause, Play, Square } from 'lucide-react'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import { Button } from '../../components/button/button.tsx'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { nodeCode } from '../../components/node-path/nodes-in-path.ts'
import { useToast } from '../../components/toast/toast.tsx'
import { activity as texts } from '../../messages/activity.ts'
import { type ActivityKind, type ActivityRecord, activityName } from './activity-kind.ts'
import { Retry } from './retry.tsx'
import { type StepRecord, stepName } from './steps.ts'

interface ActivityActionsProps {
  readonly kind: ActivityKind
  readonly record: ActivityRecord
  readonly running: readonly StepRecord[]
}

/** Buttons for what the user may do with the activity now, from its `meta.can`. */
export function ActivityActions({ kind, record, running }: ActivityActionsProps) {
  const [isAsking, setIsAsking] = useState(false)
  const cache = useQueryClient()
  const toast = useToast()
  const path = kind.path(record.id)
  const can = new Set(record.meta?.['can'] as string[] | undefined)
  const act = useMutation({
    mutationFn: async (action: 'pause' | 'resume' | 'cancel') => {
      if (action === 'cancel') await sluice().remove(path)
      else await sluice().create(`${path}/${action}`)
    },
    onSuccess: (_, action) => {
      toast.done(texts[`${action}Done`])
      void cache.invalidateQueries({ queryKey: recordKey(`activity ${record.id}`) })
      void cache.invalidateQueries({ queryKey: listKey('/api/activities') })
    },
    onError: toast.failed,
    onSettled: () => setIsAsking(false),
  })
  const busy = act.isPending
  return (
    <>
      {can.has('pause') && (
        <Button busy={busy} title={texts.pauseHint} onClick={() => act.mutate('pause')}>
          <Pause size={15} aria-hidden />
          {texts.pause}
        </Button>
      )}
      {can.has('resume') && (
        <Button variant="primary" busy={busy} onClick={() => act.mutate('resume')}>
          <Play size={15} aria-hidden />
          {texts.resume}
        </Button>
      )}
      {can.has('cancel') && (
        <Button variant="danger" busy={busy} onClick={() => setIsAsking(true)}>
          <Square size={15} aria-hidden />
          {texts.cancel}
        </Button>
      )}
      <Retry record={record} />
      <Confirm
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={texts.cancelTitle(activityName(record), nodeCode(record.attributes.node_path))}
        action={texts.cancelAction}
        danger
        busy={busy}
        onConfirm={() => act.mutate('cancel')}
      >
        <p>{kind.type === 'change' ? texts.cancelChange : texts.cancelRun}</p>
        {running.length > 0 && <p>{texts.running(running.slice(0, 10).map(stepName).join(', '))}</p>}
      </Confirm>
    </>
  )
}
