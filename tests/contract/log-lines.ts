import { awkwardTexts } from './awkward-texts.ts'
import type { Copies } from './copies.ts'
import type { Owner } from './table-columns.ts'

/**
 * Lines in a log, which are stored in chunks, and so are added in a way of their own.
 *
 * @param activity owner of the log: a change, a task, an agent
 * @param step the step that wrote them; without steps the activity itself
 */
export function linesIn(owner: Owner, activity: string, step: string): Copies {
  let chunks = 0
  const texts = awkwardTexts.filter(each => !each.includes('\n'))
  const remove = async () => {
    await owner.query('delete from log_chunks where step_id = $1 and attempt >= 100', [step])
  }
  return {
    add: async count => {
      chunks += 1
      const { rows } = await owner.query(
        `insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
         select $1, 100 + $3::int, 1 + $3::int % 3, $4::int, $2, ats[1], ats[$4::int], ats,
                array(select (array['stdout', 'stderr', 'runner'])[1 + n % 3] from generate_series(1, $4::int) n),
                array(select ($5::text[])[1 + n % cardinality($5::text[])] from generate_series(1, $4::int) n)
           from (select array(select sluice_now() + make_interval(secs => n / 3 * 0.000001) from generate_series(1, $4::int) n) as ats) made
         returning step_id, attempt, first_seq, line_count`,
        [step, activity, chunks, count, texts],
      )
      const { rows: lines } = await owner.query(`select id from log_lines where step_id = $1 and attempt = $2`, [
        rows[0].step_id,
        rows[0].attempt,
      ])
      return lines.map(({ id }) => id)
    },
    // Single lines cannot be deleted from a log.
    remove: async () => {},
    undo: remove,
  }
}
