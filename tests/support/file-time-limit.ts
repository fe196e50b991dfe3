/**
 * Preloaded by the process of a test file: ends it after a time limit, and prints what keeps it alive. Node's own limit
 * is per test; a file whose tests have ended while a handle stays open would run forever.
 */

const minutes = Number(process.env['SLUICE_TEST_FILE_MINUTES'] ?? 15)

setTimeout(() => {
  const open = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), name => name))
    .map(([name, all]) => `${all?.length} ${name}`)
    .join(', ')
  console.error(`This file was ended after ${minutes} minutes. Open in its process: ${open || 'nothing'}.`)
  process.exit(1)
}, minutes * 60_000).unref()
