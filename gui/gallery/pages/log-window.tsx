import type { Lines, LogLine } from '../../components/log-window/lines.ts'
import { LogWindow } from '../../components/log-window/log-window.tsx'
import styles from '../gallery.module.css'
import { logLines } from '../samples.ts'
import { Specimen } from '../specimen.tsx'

/** Log whose lines are all there. */
const linesOf = (all: readonly LogLine[]): Lines => ({
  count: all.length,
  error: undefined,
  version: 0,
  get: index => all[index],
  want: () => {},
  listen: () => () => {},
})

/** Eight colours as text and as ground, at first the normal ones, then the bright ones. */
const palette = [30, 90].map((first): LogLine => {
  const codes = Array.from({ length: 8 }, (_, i) => first + i)
  return {
    loggedAt: '2026-11-27T10:00:00Z',
    category: 'stdout',
    attempt: 1,
    stepId: 'colours',
    message: codes.map(code => `\u001b[${code}mtext\u001b[0m \u001b[1;${code + 10}mon\u001b[0m `).join(''),
  }
})

const ignore = () => {}
const lines = linesOf(logLines)
const colours = linesOf(palette)

const common = {
  isFollowing: false,
  wraps: false,
  onFollow: ignore,
  onChoose: ignore,
  hrefOf: (line: number) => `#line-${line}`,
  chosen: undefined,
  match: undefined,
  find: '',
  marks: [],
}

export function LogWindowPage() {
  return (
    <>
      <Specimen title="Steps, stderr, messages of the service, chosen lines, a match" inside="log" wide>
        <div className={styles['framed']} style={{ blockSize: 164, display: 'grid' }}>
          <LogWindow
            {...common}
            label="Log"
            lines={lines}
            nameOf={({ stepId }) => stepId}
            chosen={{ from: 2, to: 3 }}
            find="tables"
            match={4}
            marks={[0.2, 0.55, 0.9]}
          />
        </div>
      </Specimen>
      <Specimen title="Colours of terminals" inside="log">
        <div className={styles['framed']} style={{ blockSize: 48, display: 'grid' }}>
          <LogWindow {...common} label="Log of colours" lines={colours} />
        </div>
      </Specimen>
      <Specimen title="The end of the log, followed" inside="log">
        <div className={styles['framed']} style={{ blockSize: 70, display: 'grid' }}>
          <LogWindow {...common} label="Log that is followed" lines={lines} isFollowing />
        </div>
      </Specimen>
    </>
  )
}
