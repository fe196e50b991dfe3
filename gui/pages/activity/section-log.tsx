import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { isFinal } from '#client/sluice.ts'
import { LogWindow, type LogWindowHandle } from '../../components/log-window/log-window.tsx'
import { scrollMarks } from '../../components/log-window/next-match.ts'
import type { Place } from '../../components/log-window/section-rows.ts'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { log as texts } from '../../messages/log.ts'
import { useLogWrapping } from '../../preferences/appearance.ts'
import { activityName } from './activity-kind.ts'
import styles from './activity-page.module.css'
import { ChosenLinesBar } from './chosen-lines-bar.tsx'
import { GoToLine } from './go-to-line.tsx'
import { downloadOf, logOfStep, wholeLog } from './log-source.ts'
import { LogToolbar } from './log-toolbar.tsx'
import type { NestedRuns } from './nested-runs.ts'
import { chosenLines, lineText } from './search.ts'
import { type HeaderMove, SectionHeader } from './section-header.tsx'
import { nextPlace, type OrderedPlaces, orderedPlaces } from './section-places.ts'
import { stepName } from './steps.ts'
import type { PartProps } from './use-activity.ts'
import { useLogShortcuts } from './use-log-shortcuts.ts'
import { useMatches, useNestedPlaces } from './use-matches.ts'
import type { Sections } from './use-sections.ts'

const none: readonly Place[] = []

/** Log of an activity in sections, one for each step that has printed something. */
export function SectionLog({ sections, ...part }: PartProps & { readonly sections: Sections }) {
  const { kind, record, live } = part
  const { steps, openRuns } = sections
  const search = useSearch({ from: '/activities/$id' })
  const navigate = useNavigate({ from: '/activities/$id' })
  const { step: linked, find = '' } = search
  const chosen = linked === undefined ? undefined : chosenLines(search.line)
  const isLive = !isFinal(record.attributes.status_code)
  const [isFollowing, setIsFollowing] = useState(isLive && linked === undefined)
  const { rows, lines } = sections
  const whole = wholeLog(kind, record.id)
  const found = useMatches(whole, { query: find }, isLive)
  const errors = useMatches(whole, { errors: true }, isLive)
  const foundPlaces = useNestedPlaces((find !== '' && found.data?.inSteps) || none, openRuns, { query: find }, isLive)
  const errorsFound = useNestedPlaces(errors.data?.inSteps ?? none, openRuns, { errors: true }, isLive)
  const matches = useMemo(() => orderedPlaces(rows, foundPlaces), [rows, foundPlaces])
  const errorPlaces = useMemo(() => orderedPlaces(rows, errorsFound), [rows, errorsFound])
  const [match, setMatch] = useState<Place>()
  /** Jump to a line of a run that is not read yet: it goes on once the lines of its steps are known. */
  const [pending, setPending] = useState<PendingJump>()
  /** Line or header that is shown as soon as its section is open. */
  const [target, setTarget] = useState<Place>()
  const [goTo, setGoTo] = useState<{ first: string; id: string }>()
  const [wraps, setWraps] = useLogWrapping()
  const window = useRef<LogWindowHandle>(null)
  const focused = useRef<string>(undefined)
  const isReady = !sections.isReading && rows.count > 0

  const follow = (on: boolean) => {
    if (!on) sections.pinOpen()
    setIsFollowing(on)
  }
  const show = (place: Place) => {
    setIsFollowing(false)
    if (place.line !== undefined) sections.toggle(place.id, true)
    setTarget(place)
  }
  // Behind the drawing of the opened section, which has other rows than before.
  const showTarget = useEffectEvent(() => {
    const row = target && rows.rowOf(target)
    if (row !== undefined) window.current?.show(row)
    setTarget(undefined)
  })
  useEffect(() => {
    if (target && isReady) showTarget()
  }, [target, isReady])
  // What the address names is shown when the page is opened, and when another step is chosen.
  const showLinked = useEffectEvent((id: string) =>
    show({ id, line: chosen === undefined ? undefined : chosen.from - 1 }),
  )
  // Of a group, the first step below it that has printed something.
  const linkedSection = useMemo(
    () =>
      linked === undefined
        ? undefined
        : rows.sections.find(({ id }) => id === linked || steps.ancestorsOf(id).includes(linked))?.id,
    [rows, steps, linked],
  )
  const lastLinked = useRef<string>(undefined)
  useEffect(() => {
    if (!isReady || lastLinked.current === linked || linkedSection === undefined) return
    lastLinked.current = linked
    showLinked(linkedSection)
  }, [isReady, linked, linkedSection])

  const middle = () => rows.at(window.current?.middle() ?? 0)
  const goOn = (place: Place, among: PendingJump['among'], direction: 1 | -1) => {
    setMatch(place)
    show(place)
    setPending(steps.runOf(place.id) === undefined ? undefined : { within: place.id, among, direction })
  }
  const jump = (among: PendingJump['among'], direction: 1 | -1) => {
    const place = nextPlace(rows, among === 'matches' ? matches : errorPlaces, match ?? middle(), direction)
    if (place) goOn(place, among, direction)
  }
  const inside = pending && placesWithin(steps, pending.within, pending.among === 'matches' ? matches : errorPlaces)
  const goInside = useEffectEvent(() => {
    if (pending && inside) goOn(inside.at(pending.direction === 1 ? 0 : -1)!, pending.among, pending.direction)
  })
  const isInside = inside !== undefined && inside.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each jump into a run.
  useEffect(() => {
    if (isInside) goInside()
  }, [isInside, pending])
  const choose = (id: string | undefined, from = 0, to = from) => {
    lastLinked.current = id
    void navigate({
      search: ({ line: _, step: __, ...rest }) => ({
        ...rest,
        ...(id !== undefined && { step: id, line: lineText({ from, to }) }),
      }),
      replace: true,
      resetScroll: false,
    })
  }
  const onChoose = (row: number, isRange: boolean) => {
    const place = rows.at(row - 1)
    if (place?.line === undefined) return
    const line = place.line + 1
    const isSame = linked === place.id && chosen?.from === line && chosen.to === line
    if (isRange && chosen && linked === place.id) choose(linked, Math.min(chosen.from, line), Math.max(chosen.to, line))
    else choose(isSame ? undefined : place.id, line)
  }
  const openGoTo = (first: string) => {
    const place = middle()
    if (place) setGoTo({ first, id: place.id })
  }
  const leaveGoTo = (byKey: boolean) => {
    setGoTo(undefined)
    if (byKey) window.current?.focus()
  }
  useLogShortcuts({
    follow: () => follow(true),
    nextMatch: direction => jump('matches', direction),
    nextError: () => jump('errors', 1),
    goToLine: openGoTo,
  })
  const moveTo = (from: string, move: HeaderMove) => {
    const last = rows.sections.length - 1
    const index = move === 'first' ? 0 : move === 'last' ? last : (rows.indexOf(from) ?? 0) + move
    const section = rows.sections[Math.min(Math.max(index, 0), last)]!
    focused.current = section.id
    const drawn = document.querySelector<HTMLElement>(`[data-section="${section.id}"] button`)
    if (drawn) drawn.focus()
    else show({ id: section.id, line: undefined })
  }

  const header = (id: string) => {
    const step = steps.get(id)
    const section = rows.sections[rows.indexOf(id) ?? -1]
    if (!step || !section) return null
    return (
      <SectionHeader
        step={step}
        path={steps.pathOf(id)}
        lines={steps.runOf(id) === undefined ? section.lines : sections.countOf(id)}
        isOpen={section.isOpen}
        download={downloadOf(logOfStep(kind, id), stepName(step))}
        onToggle={isOpen => sections.toggle(id, isOpen)}
        onMove={move => moveTo(id, move)}
        focused={focused}
      />
    )
  }
  const chosenRow = linked !== undefined && chosen ? rows.rowOf({ id: linked, line: chosen.from - 1 }) : undefined
  const total = rows.sections.reduce((sum, section) => sum + section.lines, 0)
  const goToSection = goTo && rows.sections[rows.indexOf(goTo.id) ?? -1]
  return (
    <div className={styles['log']}>
      <LogToolbar
        step={undefined}
        onAllSteps={() => choose(undefined)}
        isByStep
        onByStep={() =>
          void navigate({
            search: ({ by: _, line: __, step: ___, ...rest }) => rest,
            replace: true,
            resetScroll: false,
          })
        }
        find={find}
        onFind={text =>
          void navigate({
            search: ({ find: _, ...rest }) => ({ ...rest, ...(text && { find: text }) }),
            replace: true,
            resetScroll: false,
          })
        }
        matches={find === '' ? undefined : found.data}
        searchError={found.error}
        current={match === undefined ? 0 : matches.places.findIndex(each => isSame(each, match)) + 1}
        onJump={direction => jump('matches', direction)}
        errors={errors.data}
        onNextError={() => jump('errors', 1)}
        count={isReady ? total : undefined}
        wraps={wraps}
        onWrap={() => setWraps(!wraps)}
        isFollowing={isFollowing}
        onFollow={() => follow(!isFollowing)}
        goTo={
          goToSection && (
            <GoToLine
              first={goTo.first}
              count={goToSection.lines}
              step={stepName(steps.get(goTo.id)!)}
              onGo={({ from, to }) => {
                leaveGoTo(true)
                choose(goTo.id, from, to)
                show({ id: goTo.id, line: from - 1 })
              }}
              onLeave={leaveGoTo}
            />
          )
        }
        onGoTo={() => openGoTo('')}
        downloads={[{ text: texts.downloadAll, href: downloadOf(whole, activityName(record)) }]}
      />
      {chosen && linked !== undefined && (
        <ChosenLinesBar chosen={chosen} subject={logOfStep(kind, linked)} onClear={() => choose(undefined)} />
      )}
      {sections.error ? (
        <ErrorState error={sections.error} onRetry={sections.retry} />
      ) : sections.isReading || live.isReadingSteps ? (
        <Skeleton rows={12} />
      ) : rows.count === 0 ? (
        <EmptyState title={isLive ? texts.emptyRunning : texts.emptySteps}>
          {isLive ? texts.emptyDetail : texts.emptyStepsDetail}
        </EmptyState>
      ) : (
        <LogWindow
          ref={window}
          label={texts.labelBySteps}
          lines={lines}
          nameOf={undefined}
          sections={{ rows, header }}
          wraps={wraps}
          isFollowing={isFollowing}
          onFollow={follow}
          chosen={
            chosenRow === undefined || !chosen
              ? undefined
              : { from: chosenRow + 1, to: chosenRow + 1 + chosen.to - chosen.from }
          }
          onChoose={onChoose}
          hrefOf={row => {
            const { id = '', line = 0 } = rows.at(row - 1) ?? {}
            return `?${new URLSearchParams({ by: 'step', step: id, line: String(line + 1) })}`
          }}
          find={find}
          match={match && rows.rowOf(match)}
          marks={scrollMarks(
            matches.places.map(place => rows.rowOf(place)!),
            rows.count,
          )}
        />
      )}
    </div>
  )
}

interface PendingJump {
  /** Step that has started the run. */
  readonly within: string
  readonly among: 'matches' | 'errors'
  readonly direction: 1 | -1
}

/** Places in the sections of the run that a step has started, in their order. */
const placesWithin = (steps: NestedRuns, creator: string, { places }: OrderedPlaces): readonly Place[] =>
  places.filter(({ id }) => steps.creatorsOf(id).includes(creator))

const isSame = (one: Place, other: Place): boolean => one.id === other.id && one.line === other.line
