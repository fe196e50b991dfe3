import { execFileSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { servePages } from '../../tests/support/page-server.ts'
import { names } from '../gallery/names.ts'
import { expectNoSidewaysScroll } from './fixtures.ts'
import { expectAccessible } from './gallery-axe.ts'
import { compareBoxes } from './gallery-boxes.ts'
import { comparesPixels, packPictures, pictureFolder } from './gallery-pictures.ts'

/**
 * Pictures, boxes and accessibility of every component in all of its states, in both themes and in a narrow and a wide
 * window. `bin/gui-test gallery --update-snapshots` makes pictures and boxes anew.
 */

const project = join(import.meta.dirname, '../..')

/** Bytes of all pictures and boxes in the repository. */
const budget = 1_000_000

/** States that cover the window, and how they are opened. */
const overlays: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  columns: seesDialog,
  'decision-dialog': seesDialog,
  dialog: seesDialog,
  'dialog-confirm': seesDialog,
  'dialog-sheet': seesDialog,
  'form-dialog': seesDialog,
  'name-dialog': seesDialog,
  'saved-views': seesDialog,
  menu: async page => {
    await page.getByRole('button', { name: 'More' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
  },
  toast: page => expect(page.getByText('is archived')).toBeVisible(),
  tooltip: async page => {
    await page.getByRole('button', { name: 'Run now' }).hover()
    await expect(page.getByText('You need the right')).toBeVisible()
  },
}

function seesDialog(page: Page): Promise<void> {
  return expect(page.getByRole('dialog')).toBeVisible()
}

interface Gallery {
  readonly page: Page
  readonly isUpdate: boolean
  readonly hasPixels: boolean
}

/** One page for all tests: they only change its hash, which renders the next component from the beginning. */
const test = base.extend<object, { gallery: Gallery }>({
  gallery: [
    async ({ browser }, use, { config }) => {
      const isUpdate = config.updateSnapshots === 'all' || config.updateSnapshots === 'changed'
      execFileSync(process.execPath, [join(project, 'gui/gallery/build.ts')], { stdio: 'inherit' })
      const server = await servePages(join(project, '.local/gui-gallery'))
      const page = await browser.newPage({ timezoneId: 'Europe/Berlin', locale: 'en-GB', reducedMotion: 'reduce' })
      await page.clock.setFixedTime('2026-11-27T10:00:00Z')
      const problems: string[] = []
      page.on('pageerror', error => problems.push(error.message))
      page.on('console', message => {
        // There is no service that components could read from.
        const isNetwork = /^Failed to load resource/.test(message.text())
        if (message.type() === 'error' && !isNetwork) problems.push(message.text())
      })
      await page.goto(server.address)
      await use({ page, isUpdate, hasPixels: await comparesPixels(page, isUpdate) })
      await page.close()
      server.stop()
      expect(problems, 'errors on the console of the page').toEqual([])
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

for (const name of names)
  test(`${name} looks as before and is accessible`, async ({ gallery: { page, isUpdate, hasPixels } }) => {
    const overlay = overlays[name]
    for (const width of [1440, 360]) {
      // Editors draw only what is in the window, so everything has to fit into it.
      await page.setViewportSize({ width, height: overlay ? 560 : 1_600 })
      await open(page, `${name}/${width}`)
      await overlay?.(page)
      await compareBoxes(page, `${name}-${width}`, isUpdate)
      await expectNoSidewaysScroll(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        // The theme changes colours alone.
        await expectAccessible(
          page,
          name === 'menu' ? '[role=menu]' : 'html',
          colorScheme === 'dark' ? ['color-contrast'] : undefined,
        )
        if (!hasPixels) continue
        const options = { threshold: 0.1 }
        const file = `${name}-${width}-${colorScheme}.png`
        if (overlay) await expect(page).toHaveScreenshot(file, options)
        else await expect(page.locator('main > :last-child')).toHaveScreenshot(file, options)
      }
    }
  })

test.use({ trace: 'off' })

test('the gallery is no part of the application', async () => {
  const built = join(project, '.local/gui')
  const scripts = globSync('**/*.{js,css,html}', { cwd: built })
  expect(scripts.length).toBeGreaterThan(20)
  for (const file of scripts) expect(readFileSync(join(built, file), 'utf8'), file).not.toContain('Component gallery')
  const sources = Object.keys(JSON.parse(readFileSync(`${built}-manifest.json`, 'utf8')) as object)
  expect(sources.filter(source => source.includes('gallery'))).toEqual([])
})

test('every picture belongs to a component, and all of them are small', async ({ gallery }) => {
  if (gallery.isUpdate) packPictures()
  const files = readdirSync(pictureFolder).filter(file => file !== 'drawn-by.json')
  const known = names.flatMap(name => [1440, 360].map(width => `${name}-${width}`))
  for (const file of files) expect(known).toContain(file.replace(/(-light|-dark)?\.(png|txt)$/, ''))
  const bytes = files.reduce((sum, file) => sum + statSync(join(pictureFolder, file)).size, 0)
  console.log(`pictures and boxes: ${bytes} bytes of ${budget}`)
  expect(bytes).toBeLessThanOrEqual(budget)
})

async function open(page: Page, hash: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(next => {
    location.hash = next
    // Titles of specimens are for people; in pictures they would only take room.
    document.documentElement.toggleAttribute('data-pictures', true)
  }, hash)
  const name = hash.replace(/\/.*/, '')
  await expect(page.locator(`[data-page="${name}"]`)).toBeAttached()
  if (name === 'editor' || name === 'diff')
    await expect(page.locator('.cm-content')).toHaveCount(name === 'diff' && hash.endsWith('1440') ? 3 : 2)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}
