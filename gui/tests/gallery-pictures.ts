import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { packedPng } from './packed-png.ts'

/** Pictures and boxes of the gallery, and what drew them (docs/adr/0128-pictures-of-components.md). */
export const pictureFolder = join(import.meta.dirname, 'pictures')

const record = join(pictureFolder, 'drawn-by.json')

/** Properties of a browser that have to be equal for pictures to be equal. */
interface Drawing {
  /** Major version of Chromium. */
  readonly chromium: string
  /**
   * Hash of a picture of texts in both fonts and in those of the machine, a shadow and native controls, without anything
   * of the application.
   */
  readonly probe: string
}

/**
 * Whether pixels can be compared: this browser on this machine draws as the one that drew the pictures. An update that
 * finds another drawing removes all pictures, so that none of the old ones is left.
 */
export async function comparesPixels(page: Page, isUpdate: boolean): Promise<boolean> {
  const drawing: Drawing = {
    chromium: page.context().browser()!.version().split('.')[0]!,
    probe: await probe(page),
  }
  const known = existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as Drawing) : undefined
  if (known?.chromium === drawing.chromium && known.probe === drawing.probe) return true
  if (isUpdate) {
    mkdirSync(pictureFolder, { recursive: true })
    for (const name of pictures()) rmSync(join(pictureFolder, name))
    writeFileSync(record, `{ "chromium": "${drawing.chromium}", "probe": "${drawing.probe}" }\n`)
    return true
  }
  const reason = known?.chromium === drawing.chromium ? 'on this machine' : `instead of ${known?.chromium}`
  console.log(
    `Chromium ${drawing.chromium} ${reason} draws differently: layouts are compared, pictures are not. ` +
      'Make them anew by: bin/gui-test gallery --update-snapshots',
  )
  return false
}

const pictures = (): string[] => readdirSync(pictureFolder).filter(name => name.endsWith('.png'))

/** Stores new pictures in few bytes. */
export function packPictures(): void {
  for (const name of pictures()) {
    const file = join(pictureFolder, name)
    writeFileSync(file, packedPng(readFileSync(file)))
  }
}

async function probe(page: Page): Promise<string> {
  await page.evaluate(async () => {
    const element = document.createElement('div')
    element.id = 'probe'
    element.style.cssText =
      'all: initial; position: fixed; inset: 0 auto auto 0; z-index: 99; inline-size: 420px; padding: 12px; color-scheme: light; background: #fff; color: #123'
    for (const [font, size, weight] of [
      ['Inter Variable', 11, 550],
      ['Inter Variable', 14, 400],
      ['Inter Variable', 22, 650],
      ['JetBrains Mono Variable', 12.5, 400],
    ] as const) {
      const line = element.appendChild(document.createElement('div'))
      line.style.cssText = `font: ${weight} ${size}px "${font}"; border: 1px solid #abc; border-radius: 5px; box-shadow: 0 2px 9px #0004`
      line.textContent = 'Sphinx of black quartz, judge my vow: 0123456789'
      await document.fonts.load(`${weight} ${size}px "${font}"`)
    }
    // Glyphs that only fonts of the machine have.
    element.appendChild(document.createElement('div')).textContent = '⌄ › → ✓ ␛ 漢'
    for (const type of ['checkbox', 'date', 'password', 'text']) {
      const input = element.appendChild(document.createElement('input'))
      input.type = type
      input.style.font = '400 14px "Inter Variable"'
    }
    element.appendChild(document.createElement('select')).append(new Option('Sphinx'))
    document.body.append(element)
  })
  const picture = await page.locator('#probe').screenshot({ animations: 'disabled' })
  await page.evaluate(() => document.getElementById('probe')?.remove())
  return createHash('sha256').update(picture).digest('hex').slice(0, 32)
}
