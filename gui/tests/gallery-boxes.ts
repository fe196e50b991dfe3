import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { pictureFolder } from './gallery-pictures.ts'

/** Pixels by which a box may differ: texts are not equally wide in all versions of a browser. */
const tolerance = 2

/**
 * Asserts that what is seen is where it was: the places and sizes of controls, texts and icons. Editors measure
 * themselves some frames after they are drawn, so boxes are read until they are as expected, or until they rest.
 */
export async function compareBoxes(page: Page, name: string, isUpdate: boolean): Promise<void> {
  const file = join(pictureFolder, `${name}.txt`)
  if (isUpdate) {
    const boxes = await restingBoxes(page)
    if (existsSync(file) && differences(linesOf(file), boxes).length === 0) return
    mkdirSync(pictureFolder, { recursive: true })
    writeFileSync(file, `${boxes.join('\n')}\n`)
    return
  }
  await expect(async () => {
    const boxes = await boxesIn(page)
    expect(differences(linesOf(file), boxes), `boxes that are not as in ${name}.txt`).toEqual([])
  }).toPass({ timeout: 5_000, intervals: [50, 100, 250, 500] })
}

async function restingBoxes(page: Page): Promise<string[]> {
  for (let before: string[] = []; ; ) {
    await page.waitForTimeout(250)
    const boxes = await boxesIn(page)
    if (boxes.length > 1 && boxes.join() === before.join()) return boxes
    before = boxes
  }
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n')

/** Lines that were expected (`-`) and those that are there (`+`), without those that are equal within the tolerance. */
function differences(expected: readonly string[], found: readonly string[]): string[] {
  return Array.from({ length: Math.max(expected.length, found.length) }, (_, i) => [expected[i], found[i]] as const)
    .filter(([before, now]) => before === undefined || now === undefined || !isClose(before, now))
    .flatMap(([before, now]) => [...(before === undefined ? [] : [`- ${before}`]), ...(now ? [`+ ${now}`] : [])])
}

function isClose(before: string, now: string): boolean {
  const [one, other] = [parsed(before), parsed(now)]
  return one.name === other.name && one.numbers.every((number, i) => Math.abs(number - other.numbers[i]!) <= tolerance)
}

function parsed(line: string): { name: string; numbers: number[] } {
  const [x = '', y = '', size = '', ...name] = line.split(' ')
  return { name: name.join(' '), numbers: [x, y, ...size.split('x')].map(Number) }
}

/** Lines such as `16 83 84x34 button Run now`: place, size, element and text of what is seen, in the order of the page. */
const boxesIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const seen = 'h1,h2,p,pre,li,dt,dd,label,a,button,input,select,textarea,svg,code,time,header,footer,.cm-line,[role]'
    const elements = (root: ParentNode): Element[] =>
      // Editors are in shadow roots.
      [...root.querySelectorAll('*')].flatMap(each => [each, ...(each.shadowRoot ? elements(each.shadowRoot) : [])])
    return elements(document).flatMap(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const isHidden = width * height === 0 || (width === 1 && height === 1)
      if (isHidden || !element.matches(seen)) return []
      const kind = element.getAttribute('role') ?? element.localName
      const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim()
      const [left, top, wide, high] = [x, y, width, height].map(Math.round)
      return `${left} ${top} ${wide}x${high} ${kind} ${text.slice(0, 24)}`.trimEnd()
    })
  })
