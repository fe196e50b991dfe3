import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { isFinal } from '#client/sluice.ts'
import type { LogLine } from '../../components/log-window/lines.ts'
import { LogWindow, type LogWindowHandle } from '../../components/log-window/log-window.tsx'
import { nextMatch, scrollMarks } from '../../components/log-window/next-match.ts'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { log as texts } from '../../messages/log.ts'
import { useLogWrapping } from '../../preferences/appearance.ts'
import { activityName } from './activity-kind.ts'
import styles from './activity-page.module.css'
import { ChosenLinesBar } from './chosen-lines-bar.tsx'
import { GoToLine } from './go-to-line.tsx'
import { downloadOf, wholeLog } from './log-source.ts'
import { LogToolbar } from './log-toolbar.tsx'
import { type ChosenLines, chosenLines, lineText } from './search.ts'
import { stepName } from './steps.ts'
import type { PartProps } from './use-activity.ts'
import { useLogLines, useLogSubject } from './use-log.ts'
import { useLogShortcuts } from './use-log-shortcuts.ts'
import { useMatches } from './use-matches.ts'

const LogByStep = lazy(() => import('./log-by-step.tsx'))

const none: readonly number[] = []

/** Log of the whole activity or of the chosen step, or that of the activity in sections. */
export function LogTab(part: PartProps) {
  const { step, by } = useSearch({ from: '/activities/$id' })
  if (by === 'step')
    return (
      <Suspense fallback={<Skeleton rows={12} />}>
        <LogByStep {...part} />
      </Suspense>
    )
  // A log of its own for each step: where it is scrolled to, whether it follows.
  return <StepLog key={step ?? ''} {...part} />
}

function StepLog(part: PartProps) {
  const { record, live } = part
  const search = useSearch({ from: '/activities/$id' })
  const navigate = useNavigate({ from: '/activities/$id' })
  const { step, find = '' } = search
  const chosen = chosenLines(search.line)
  const status = record.attributes.status_code
  const isLive = !isFinal(status)
  const [isFollowing, setIsFollowing] = useState(chosen === undefined && (isLive || status !== 'success'))
  const subject = useLogSubject(part, step)
  const lines = useLogLines(subject, part, isFollowing)
  useSyncExternalStore(
    listener => lines.listen(listener),
    () => lines.count,
  )
  const [wraps, setWraps] = useLogWrapping()
  const window = useRef<LogWindowHandle>(null)
  const found = useMatches(subject, { query: find }, isLive)
  const errors = useMatches(subject, { errors: true }, isLive)
  const matches = (find !== '' && found.data?.lines) || none
  const errorLines = errors.data?.lines ?? none
  const [match, setMatch] = useState<number>()
  const [goTo, setGoTo] = useState<string>()
  const isCounted = lines.count !== undefined

  const show = useEffectEvent((index: number) => {
    setIsFollowing(false)
    window.current?.show(index)
  })
  // A link to a line shows it once the length of the log is known.
  const linked = useRef(chosen?.from)
  useEffect(() => {
    if (!isCounted || linked.current === undefined) return
    show(linked.current - 1)
    linked.current = undefined
  }, [isCounted])
  // A new search goes to its first match behind the line in the middle.
  const first = matches[0]
  const goToFirst = useEffectEvent(() => {
    if (!isCounted) return
    if (first !== undefined && linked.current === undefined && chosen === undefined) jump(matches, 1, true)
    else setMatch(undefined)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each search that has an answer.
  useEffect(() => goToFirst(), [find, first === undefined, isCounted])

  const jump = (among: readonly number[], direction: 1 | -1, here = false) => {
    const from = match !== undefined && !here ? match : (window.current?.middle() ?? 0) - (here ? 1 : 0)
    const place = nextMatch(among, from, direction)
    const line = place === undefined ? undefined : among[place]
    if (line === undefined) return
    setMatch(line)
    show(line)
  }
  const onChoose = (line: number, isRange: boolean) => {
    const range = isRange && chosen ? { from: Math.min(chosen.from, line), to: Math.max(chosen.to, line) } : undefined
    const isSame = !isRange && chosen?.from === line && chosen.to === line
    setChosen(isSame ? undefined : (range ?? { from: line, to: line }))
  }
  const setChosen = (to: ChosenLines | undefined) =>
    void navigate({
      search: ({ line: _, ...rest }) => ({ ...rest, ...(to && { line: lineText(to) }) }),
      replace: true,
      resetScroll: false,
    })
  const goToLine = (to: ChosenLines) => {
    setGoTo(undefined)
    setChosen(to)
    show(to.from - 1)
    window.current?.focus()
  }
  const leaveGoTo = (byKey: boolean) => {
    setGoTo(undefined)
    if (byKey) window.current?.focus()
  }
  const onFind = (text: string) =>
    void navigate({
      search: ({ find: _, ...rest }) => ({ ...rest, ...(text && { find: text }) }),
      replace: true,
      resetScroll: false,
    })
  useLogShortcuts({
    follow: () => setIsFollowing(true),
    nextMatch: direction => jump(matches, direction),
    nextError: () => jump(errorLines, 1),
    goToLine: setGoTo,
  })

  const chosenStep = step === undefined ? undefined : live.steps.get(step)
  const hasNames = step === undefined || live.steps.childrenOf(step).length > 0
  const name = chosenStep && stepName(chosenStep)
  const whole = wholeLog(part.kind, record.id)
  const all = { text: texts.downloadAll, href: downloadOf(whole, activityName(record)) }
  const ofStep = name !== undefined && { text: texts.downloadOf(name), href: downloadOf(subject, name) }
  const nameOf = ({ stepId, changeId }: LogLine) => {
    const writer = live.steps.get(stepId) ?? (changeId === undefined ? undefined : live.steps.creatorOf(changeId))
    return writer ? stepName(writer) : ''
  }
  return (
    <div className={styles['log']}>
      <LogToolbar
        step={name}
        onAllSteps={() =>
          void navigate({ search: ({ step: _, line: __, ...rest }) => rest, replace: true, resetScroll: false })
        }
        isByStep={false}
        onByStep={() =>
          void navigate({
            search: ({ line: _, ...rest }) => ({ ...rest, by: 'step' }),
            replace: true,
            resetScroll: false,
          })
        }
        find={find}
        onFind={onFind}
        matches={find === '' ? undefined : found.data}
        searchError={found.error}
        current={match === undefined ? 0 : matches.indexOf(match) + 1}
        onJump={direction => jump(matches, direction)}
        errors={errors.data}
        onNextError={() => jump(errorLines, 1)}
        count={lines.count}
        wraps={wraps}
        onWrap={() => setWraps(!wraps)}
        isFollowing={isFollowing}
        onFollow={() => setIsFollowing(!isFollowing)}
        goTo={
          goTo === undefined || !lines.count ? undefined : (
            <GoToLine first={goTo} count={lines.count} onGo={goToLine} onLeave={leaveGoTo} />
          )
        }
        onGoTo={() => setGoTo('')}
        downloads={ofStep ? [ofStep, all] : [all]}
      />
      {chosen && <ChosenLinesBar chosen={chosen} subject={subject} onClear={() => setChosen(undefined)} />}
      {lines.count === undefined ? (
        lines.error ? (
          <ErrorState error={lines.error} onRetry={() => void lines.readTail()} />
        ) : (
          <Skeleton rows={12} />
        )
      ) : lines.count === 0 ? (
        <EmptyState title={isLive ? texts.emptyRunning : step === undefined ? texts.emptyActivity : texts.empty}>
          {isLive && texts.emptyDetail}
        </EmptyState>
      ) : (
        <LogWindow
          ref={window}
          label={name === undefined ? texts.label : texts.labelOf(name)}
          lines={lines}
          nameOf={hasNames ? nameOf : undefined}
          wraps={wraps}
          isFollowing={isFollowing}
          onFollow={setIsFollowing}
          chosen={chosen}
          onChoose={onChoose}
          hrefOf={line => `?${new URLSearchParams({ ...(step && { step }), line: String(line) })}`}
          find={find}
          match={match}
          marks={scrollMarks(matches, lines.count)}
        />
      )}
    </div>
  )
}
