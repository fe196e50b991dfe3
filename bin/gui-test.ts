import { runGuiTests } from '../gui/tests/run.ts'
import { withTestServer } from '../tests/support/test-run.ts'

/** Program of `bin/gui-test`: the tests in the browser on a PostgreSQL of their own. */
const { failed } = await withTestServer({}, server => runGuiTests(server, { args: process.argv.slice(2) }))
process.exitCode = failed > 0 ? 1 : 0
