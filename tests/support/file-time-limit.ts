/**
 * Loaded by the process of a test file before the file: ends it where it has run for too long, and prints what it waits
 * for. Node's own limit is on tests; a file whose tests have ended while something stays open would run for ever.
 */

const minutes = Number(process.env['SLUICE_TEST_FILE_MINUTES'] ?? 15)

setTimeout(() => {
  const open = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), name => name))
    .map(([name, all]) => `${all?.length} ${name}`)
    .join(', ')
  console.error(`This file was ended after ${minutes} minutes. Open in its process: ${open || 'nothing'}.`)
  process.exit(1)
}, minutes * 60_000).unref()
