import { keys, type Place } from '../keyboard/keys.ts'
import { keyboard as texts } from '../messages/keyboard.ts'
import type { NavigationEntry } from './navigation.ts'

export interface KeyRow {
  readonly text: string
  /** Keys of which any does it, or the first of a range and its last digit: `g 1` to `9`. */
  readonly keys: readonly string[]
  readonly isRange: boolean
}

export interface KeySection {
  readonly id: string
  readonly title: string
  /** Whether its keys act on the page that is open. */
  readonly isHere: boolean
  readonly rows: readonly KeyRow[]
}

/**
 * All keys in sections: those of the present page first, then those of every page, then the rest.
 *
 * @param here places that the present page has
 * @param pages pages that the user may open
 */
export function keySections(here: ReadonlySet<string>, pages: readonly NavigationEntry[]): KeySection[] {
  const sections = (Object.keys(keys) as Place[]).map(place => sectionOf(place, here.has(place)))
  const [everywhere, ...others] = sections
  return [
    ...others.filter(({ isHere }) => isHere),
    everywhere!,
    {
      id: 'pages',
      title: texts.pages,
      isHere: false,
      rows: pages
        .filter(({ key }) => key !== undefined)
        .map(({ text, key }) => ({ text, keys: [`g ${key}`], isRange: false })),
    },
    ...others.filter(({ isHere }) => !isHere),
  ]
}

function sectionOf(place: Place, isHere: boolean): KeySection {
  const { title, acts } = texts.places[place]
  const words: Readonly<Record<string, string>> = acts
  const rows = Object.entries<readonly string[]>(keys[place]).map(([act, all]): KeyRow => {
    const isRange = all.length > 2 && all.every(key => /\d$/.test(key))
    return { text: words[act]!, keys: isRange ? [all[0]!, all.at(-1)!.slice(-1)] : all, isRange }
  })
  return { id: place, title, isHere, rows }
}

/** Keys that are pressed one after another, each as the keys that are held together: `g d` is two of one, `Mod+k` one of two. */
export const strokesOf = (key: string): string[][] =>
  key === ' ' ? [[key]] : key.split(' ').map(stroke => stroke.split('+'))

/** Name of a key as keyboards have it. */
export function keyName(key: string, isMac: boolean): string {
  if (key === 'Mod' && isMac) return texts.command
  return texts.names[key] ?? key
}
