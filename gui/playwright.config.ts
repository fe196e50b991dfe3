import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

/**
 * Tests in a real browser against the whole service; `bin/gui-test` runs them, and finds the browser
 * (SLUICE_TEST_CHROMIUM names one). What a failed test saw is kept in `.local/gui-tests`.
 */
export default defineConfig({
  testDir: 'tests',
  testMatch: '*.spec.ts',
  outputDir: join(import.meta.dirname, '../.local/gui-tests'),
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  // One more than processors: a test waits for a quarter of its time.
  workers: availableParallelism() + 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  // Limits for what hangs, with room for a busy machine.
  timeout: 300_000,
  // A test that passes only the second time has found a fault, of the product or of its own. On a build server, where
  // another busy program must not stop everybody's work, it is named and does not fail the run.
  retries: process.env['CI'] ? 1 : 0,
  expect: { timeout: 30_000, toHaveScreenshot: { maxDiffPixelRatio: 0.001 } },
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    // Traces would cost a fifth of the time of all tests: each is recorded, and thrown away unless its test fails.
    // `--trace retain-on-failure` asks for them.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['SLUICE_TEST_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
      args: [
        // All pages are of one site; without this each begins in a process that it leaves at once for one of its site.
        '--disable-site-isolation-trials',
        // Every kind of Chromium gives a text the same width only if glyphs are not fitted to whole pixels.
        '--font-render-hinting=none',
        // Chromium's own sandbox does not work as root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
})
