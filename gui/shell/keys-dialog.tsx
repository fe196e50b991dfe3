import { Fragment, useState } from 'react'
import { useMe } from '../api/session.tsx'
import { Tag } from '../components/chip/chip.tsx'
import { Dialog } from '../components/dialog/dialog.tsx'
import { hasLetterShortcuts } from '../keyboard/shortcuts.ts'
import { keyboard as texts } from '../messages/keyboard.ts'
import { type KeyRow, keyName, keySections, strokesOf } from './key-sections.ts'
import styles from './keys-dialog.module.css'
import { navigation } from './navigation.ts'
import { mayOpen } from './rights.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Dialog with all keys, those of the present page first. Parts of a page name the place of their keys in `data-keys`. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const me = useMe()
  // Read once: a page that changes behind the dialog must not move what is being read.
  const [sections] = useState(() =>
    keySections(
      placesOnPage(),
      navigation.filter(each => mayOpen(me, each)),
    ),
  )
  return (
    <Dialog open kind="sheet" isText onClose={onClose} title={texts.title} description={texts.detail}>
      {!hasLetterShortcuts() && <p className={styles['notice']}>{texts.lettersOff}</p>}
      <div className={styles['sections']}>
        {sections.map(({ id, title, isHere, rows }) => (
          <section key={id} className={styles['section']} aria-labelledby={`keys-${id}`}>
            <h3 id={`keys-${id}`} className={styles['title']}>
              {title} {isHere && <Tag>{texts.thisPage}</Tag>}
            </h3>
            <dl className={styles['rows']}>
              {rows.map(row => (
                <div key={row.text} className={styles['row']}>
                  <dt>{row.text}</dt>
                  <dd>
                    <Keys row={row} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const Keys = ({ row: { keys, isRange } }: { row: KeyRow }) =>
  keys.map((key, i) => (
    <Fragment key={key}>
      {i > 0 && <span className={styles['word']}>{` ${isRange ? texts.to : texts.or} `}</span>}
      <Key text={key} />
    </Fragment>
  ))

/** One key, keys held together, or keys one after another. */
const Key = ({ text }: { text: string }) => (
  <span className={styles['key']}>
    {strokesOf(text).map((stroke, i) => (
      <Fragment key={stroke.join('+')}>
        {i > 0 && <span className={styles['word']}>{` ${texts.followedBy} `}</span>}
        <kbd>
          {stroke
            .map(each => keyName(stroke.length > 1 && each.length === 1 ? each.toUpperCase() : each, isMac))
            .join(' ')}
        </kbd>
      </Fragment>
    ))}
  </span>
)

const placesOnPage = (): Set<string> =>
  new Set([...document.querySelectorAll<HTMLElement>('[data-keys]')].map(({ dataset }) => dataset['keys'] ?? ''))
