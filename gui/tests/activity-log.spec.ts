import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test('g and a number go to a line, which becomes the address', async ({ page, open, bank }) => {
  const { id } = await bank.change('chatty')
  await bank.reaches(id, 'success')
  await open(`/activities/${id}`)
  await expect(page.getByText('line 1 of 5000', { exact: true })).toBeVisible()
  await page.keyboard.type('g4')
  const field = page.getByRole('textbox', { name: 'Go to line' })
  await expect(field).toHaveValue('4')
  await field.pressSequentially('321')
  await field.press('Enter')
  await expect(page.getByText('line 4321 of 5000', { exact: true })).toBeInViewport()
  await expect(page.getByText('Line 4,321', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/line=4321$/)
  await expect(field).toHaveCount(0)
  await expect(page.getByRole('log')).toBeFocused()
  // The browser's own search would see only the lines in view.
  await page.keyboard.press('Control+f')
  await expect(page.getByRole('searchbox', { name: 'Find in the log' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByText('line 4321 of 5000', { exact: true })).toBeInViewport()
  // Also from elsewhere: the router must not restore where the log was scrolled to.
  await page.keyboard.press('f')
  await expect(page.getByText('line 5000 of 5000', { exact: true })).toBeInViewport()
  await page.keyboard.type('g1')
  await page.keyboard.press('Enter')
  await expect(page.getByText('line 1 of 5000', { exact: true })).toBeInViewport()
  await expect(page).toHaveURL(/line=1$/)
})

test('a number of no line is refused, Escape leaves the field, and g with a letter goes to a page', async ({
  page,
  open,
  bank,
}) => {
  const { id } = await bank.change('chatty')
  await bank.reaches(id, 'success')
  await open(`/activities/${id}`)
  await page.getByRole('button', { name: '5,000 lines' }).click()
  const field = page.getByRole('textbox', { name: 'Go to line' })
  await field.fill('5001')
  await field.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('The log has 5,000 lines')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill('here')
  await field.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Enter a line number, or a range such as 20-30')
  await field.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(page.getByRole('log')).toBeFocused()
  await expect(page).not.toHaveURL(/line=/)
  // A letter behind g is a page, and not the shortcut of the log.
  await page.keyboard.type('gp')
  await expect(page).toHaveURL(/\/projects/)
})

test('selected lines are copied without numbers, colours and names of steps', async ({ page, open, bank, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await bank.change('layout')
  await bank.reaches(id, 'success')
  await open(`/activities/${id}`)
  await drag(page, 'first', 'last')
  await page.keyboard.press('Control+c')
  expect(await clipboard(page)).toBe('first\n\nred line\nlast')
  await page.getByRole('link', { name: 'Line 1', exact: true }).click()
  await page.getByRole('link', { name: 'Line 4', exact: true }).click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => clipboard(page)).toBe('first\n\nred line\nlast\n')
})

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Selects with the mouse from the start of one text to the end of another. */
async function drag(page: Page, from: string, to: string): Promise<void> {
  const boxOf = async (text: string) => (await page.getByRole('log').getByText(text, { exact: true }).boundingBox())!
  const [first, last] = [await boxOf(from), await boxOf(to)]
  await page.mouse.move(first.x + 1, first.y + first.height / 2)
  await page.mouse.down()
  await page.mouse.move(last.x + last.width - 1, last.y + last.height / 2, { steps: 5 })
  await page.mouse.up()
}

test('the log of a step and that of all steps are downloaded as text', async ({ page, open, bank }) => {
  const { id } = await bank.change('broken')
  await bank.reaches(id, 'error')
  await open(`/activities/${id}`)
  const downloaded = async (click: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), click()])
    return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')]
  }
  const [name, text] = await downloaded(() => page.getByRole('link', { name: 'Download the log' }).click())
  expect(name).toBe('broken.log')
  expect(text).toMatch(/^all disks have room\nfetched release 12\nlatency p99 is 812 ms, more than 500 ms\n/)
  await page.getByRole('treeitem', { name: 'success fetch' }).click()
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Download the log' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  expect(await downloaded(() => choose('Log of fetch'))).toEqual(['fetch.log', 'fetched release 12\n'])
  expect(await downloaded(() => choose('Log of all steps'))).toEqual([name, text])
})

/** Answers for a log of `total` lines in place of the service's. */
async function pretendLog(page: Page, id: string, total: number, messageOf: (line: number) => string): Promise<void> {
  await page.route(new RegExp(`/api/changes/${id}/log\\?`), route => {
    const query = new URL(route.request().url()).searchParams
    const count = Number(query.get('tail') ?? query.get('lines'))
    const from = query.has('tail') ? Math.max(total - count, 0) : Number(query.get('from'))
    const lines: string[] = []
    // As the service does: an answer ends early after some megabytes.
    for (let line = from, size = 0; line < Math.min(total, from + count) && size < 8_000_000; line++) {
      const message = messageOf(line + 1)
      size += message.length
      lines.push(
        JSON.stringify({
          line,
          logged_at: '2026-11-27T10:00:00Z',
          category: 'stdout',
          attempt: 1,
          step_id: id,
          message,
        }),
      )
    }
    return route.fulfill({
      status: 206,
      body: lines.join('\n'),
      contentType: 'application/x-ndjson',
      headers: { 'content-range': `lines ${from}-${from + lines.length - 1}/${total}` },
    })
  })
}

const drawn = (page: Page) => page.locator('[data-line]').count()
const wrapButton = (page: Page) => page.getByRole('button', { name: 'Wrap long lines' })

test('wrapping long lines is a preference, and keeps the line that is looked at', async ({
  page,
  open,
  bank,
  browser,
}) => {
  const { id } = await bank.change('check')
  await bank.reaches(id, 'success')
  // Each third line is 1 to 12 rows high.
  const messageOf = (line: number) => `row ${line} ${line % 3 === 0 ? 'word '.repeat((line % 400) + 1) : ''}`.trim()
  await pretendLog(page, id, 1_000_000, messageOf)
  await open(`/activities/${id}?line=500000`)
  const row = (line: number) => page.locator(`[data-line="${line}"]`)
  await expect(row(500_000)).toBeInViewport()
  await expect(wrapButton(page)).toHaveAttribute('aria-pressed', 'false')
  const log = page.getByRole('log')
  expect(await log.evaluate(element => element.scrollWidth > element.clientWidth)).toBe(true)
  await wrapButton(page).click()
  await expect(wrapButton(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(row(500_000)).toBeInViewport()
  expect(await log.evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(true)
  expect(await row(499_998).evaluate(element => element.clientHeight)).toBeGreaterThan(40)
  expect(await drawn(page)).toBeLessThan(80)
  // Rows follow each other without gaps.
  const gaps = await log.evaluate(element => {
    const boxes = [...element.querySelectorAll('[data-line]')].map(each => each.getBoundingClientRect())
    return boxes.slice(1).map((box, i) => Math.round(box.top - boxes[i]!.bottom))
  })
  expect(new Set(gaps)).toEqual(new Set([0]))

  // Scrolling up into lines that were not measured goes on line by line.
  await log.hover()
  const first = async () => Number(await firstInSight(page))
  let before = await first()
  for (let i = 0; i < 15; i++) {
    await page.mouse.wheel(0, -120)
    await expect.poll(first).toBeLessThanOrEqual(before)
    const now = await first()
    expect(before - now).toBeLessThan(40)
    before = now
  }
  expect(before).toBeLessThan(499_990)

  // Both ends, a link and the search work as without wrapping.
  await log.focus()
  await page.keyboard.press('Home')
  await expect(row(1)).toBeInViewport()
  await page.keyboard.press('End')
  await expect(row(1_000_000)).toBeInViewport()
  await page.keyboard.type('g7')
  await page.getByRole('textbox', { name: 'Go to line' }).pressSequentially('00000')
  await page.keyboard.press('Enter')
  await expect(row(700_000)).toBeInViewport()
  expect(await drawn(page)).toBeLessThan(80)

  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await pretendLog(other, id, 100, messageOf)
  await open(`/activities/${id}`, 'ann', other)
  await expect(wrapButton(other)).toHaveAttribute('aria-pressed', 'true')
  await elsewhere.close()
  await wrapButton(page).click()
  await expect(row(700_000)).toBeInViewport()
  await expect
    .poll(async () => (await bank.as('ann').show<{ data: object }>('/api/me/preferences')).attributes.data)
    .toMatchObject({ log_wrap: false })
})

/** Number of the first line of which some is in sight. */
const firstInSight = (page: Page) =>
  page.getByRole('log').evaluate(element => {
    const { top } = element.getBoundingClientRect()
    const rows = [...element.querySelectorAll<HTMLElement>('[data-line]')]
    return rows.find(row => row.getBoundingClientRect().bottom > top + 1)?.dataset['line']
  })

test('a log that is left while it is scrolled reports no error', async ({ page, open, bank }) => {
  const { id } = await bank.change('check')
  await bank.reaches(id, 'success')
  await open(`/activities/${id}`)
  await expect(page.getByRole('log')).toBeVisible()
  // As WebKit does when the scrolling has not been reported before the element is removed.
  await page.evaluate(() => {
    const remove = Node.prototype.removeChild
    Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
      const log = child instanceof Element ? child.querySelector('[role="log"]') : null
      remove.call(this, child)
      log?.dispatchEvent(new Event('scroll'))
      return child
    }
  })
  await page.getByRole('link', { name: 'Timeline' }).click()
  await expect(page.getByRole('log')).toHaveCount(0)
  await expect(page.getByText('0 s', { exact: true })).toBeVisible()
})

test('wrapped lines are followed and searched as they come', async ({ page, open, bank }) => {
  await bank.as('ann').update('/api/me/preferences', { data: { log_wrap: true } })
  const { id } = await bank.change('wide', { asset: 'back' })
  await open(`/activities/${id}`)
  await expect(wrapButton(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(/^drop \d+ x+$/).last()).toBeInViewport()
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -900)
  await expect(page.getByRole('button', { name: 'Follow' })).toHaveAttribute('aria-pressed', 'false')
  await page.getByRole('log').focus()
  await page.keyboard.press('f')
  await bank.reaches(id, 'error')
  await expect(page.getByText(/^oops x+$/)).toBeInViewport()
  await page.keyboard.press('e')
  await expect(page.getByText(/^oops x+$/)).toBeInViewport()
  await page.goto(`/activities/${id}?find=drop%2077`)
  await expect(page.locator('[data-line="77"] mark')).toBeInViewport()
  await bank.as('ann').update('/api/me/preferences', { data: { log_wrap: null } })
})

for (const wraps of [false, true])
  test(`lines of 100,000 characters are drawn in parts, ${wraps ? 'wrapped' : 'not wrapped'}`, async ({
    page,
    open,
    bank,
  }) => {
    await bank.as('ann').update('/api/me/preferences', { data: { log_wrap: wraps } })
    const { id } = await bank.change('check')
    await bank.reaches(id, 'success')
    // Each letter has a colour of its own, and the search finds each second one.
    const coloured = Array.from({ length: 10_000 }, (_, i) => `\u001b[3${i % 8}m${i % 2 ? 'a' : 'b'}`).join('')
    const messageOf = (line: number) => `row ${line} ${line % 2 === 0 ? coloured : 'a'.repeat(100_000)}`
    await pretendLog(page, id, 100_000, messageOf)
    await open(`/activities/${id}?line=50000&find=a`)
    await expect(wrapButton(page)).toHaveAttribute('aria-pressed', String(wraps))
    const row = (line: number) => page.locator(`[data-line="${line}"]`)
    await expect(row(50_000).locator('mark').first()).toBeInViewport()
    await expect(row(50_001).getByText('more characters')).toHaveCount(1)
    const log = page.getByRole('log')
    for (let i = 0; i < 20; i++)
      await log.evaluate(element => {
        element.scrollTop -= 400
      })
    await expect.poll(async () => Number(await firstInSight(page))).toBeLessThan(50_000)
    await expect.poll(() => row(49_999).count()).toBeLessThan(2)
    expect(await page.locator('main *').count()).toBeLessThan(30_000)
    await log.focus()
    await page.keyboard.press('End')
    await expect(row(100_000)).toBeInViewport()
    await bank.as('ann').update('/api/me/preferences', { data: { log_wrap: null } })
  })
