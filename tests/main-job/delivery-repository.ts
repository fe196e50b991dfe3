import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A repository with one template, `parcel`, for the main job. Bash only. */
const files: Record<string, string> = {
  'actions.yaml': `
actions:
  inspect:
    description: Look at the whole environment
    env: { CARRIER: '{{ carrier }}' }
    run: |
      echo "all is well on the $CARRIER"
      ls
`,
  'parcel/defaults.yaml': `
parcel: { contents: books, label: '' }
address: { town: nowhere }
`,
  '.sluice/properties/environments.json': '{ "carrier": "canal" }',
  '.sluice/properties/projects/post/environments/live/town.yaml': 'address: { town: "Camden $(id) \\"Lock\\"" }',
  'parcel/actions.yaml': `
actions:
  deliver:
    description: Pack a parcel, label and weigh it at once, send it
    steps:
      - pack
      - { name: Make ready, run_as: parallel, steps: [label, weigh] }
      - send
  pack:
    needs: [look-inside]
    env: { CONTENTS: '{{ parcel.contents }}' }
    run: echo "packed $CONTENTS"
  look-inside:
    run: |
      echo "looked inside" >&2
      test -r "$SLUICE_STEP_CONTEXT"
  label:
    env: { TOWN: '{{ address.town }}' }
    run: |
      echo "for $TOWN"
      cat >"$SLUICE_STEP_RESULT" <<'RESULT'
      { "properties_diffs": { "asset": [{ "op": "add", "path": "/parcel", "value": { "label": "L-1" } }] } }
      RESULT
  weigh:
    run: cat "{{not-a-property}}" 2>/dev/null || echo "braces are left alone"
  send:
    env: { LABEL: '{{ parcel.label }}', CONTENTS: '{{ parcel.contents }}', CARRIER: '{{ carrier }}' }
    run: echo "sent $CONTENTS as $LABEL by $CARRIER"

  lose:
    description: Fails on the way
    steps: [pack, fall-into-the-water, send]
  fall-into-the-water:
    run: |
      echo "splash"
      exit 3

  travel:
    description: Takes until it is let through
    env: { GATES: '{{ gates }}' }
    run: |
      for stage in 1 2 3; do
        for line in $(seq 1 400); do echo "stage $stage line $line"; done
        echo "stage $stage" >"$GATES/reached-$stage"
        until [ -e "$GATES/open-$stage" ]; do sleep 0.05; done
      done
      echo "arrived"

  wander:
    description: Never ends by itself
    env: { GATES: '{{ gates }}' }
    run: |
      setsid sleep 1001 </dev/null >/dev/null 2>&1 &
      echo "on the way"
      sleep 1002
`,
}

export function deliveryRepository(folder: string): { url: string; commit: string } {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, '-c', 'user.name=Test', '-c', 'user.email=test@sluice.example', 'commit', '--quiet', '--message=Parcels')
  return { url: pathToFileURL(folder).href, commit: git(folder, 'rev-parse', 'HEAD') }
}

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  }).trim()
