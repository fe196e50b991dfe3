/** Actions of one template, each for one feature of a running change. */
export const runningActions = `
actions:
  order:
    description: A sequence, in it things at once, and in these a sequence again
    steps: [first, { name: At once, run_as: parallel, steps: [left, { name: Inner, steps: [inner-1, inner-2] }] }, last]
  first: { run: echo first }
  # Each of the two goes on only when the other has begun: in a sequence neither ever would.
  left: { run: "touch left; until [ -e inner ]; do sleep 0.02; done; echo left" }
  inner-1: { run: "touch inner; until [ -e left ]; do sleep 0.02; done; echo inner-1" }
  inner-2: { run: echo inner-2 }
  last: { run: echo last }

  needing: { description: x, needs: [prepare, check], run: echo body }
  prepare: { run: echo prepare >>trace }
  check: { run: cat trace }

  strict: { description: x, run: "echo before; false | true; echo after" }
  shells: { description: x, steps: [by-sh, by-perl] }
  by-sh: { shell: sh, run: echo by sh }
  by-perl: { shell: [perl, -w], run: 'print "by perl, with $^W\\n"' }
  telling: { description: x, steps: [{ name: Deep, steps: [context] }] }
  context: { run: cat "$SLUICE_STEP_CONTEXT" }

  unknown:
    description: x
    env: { A: "{{ nowhere.to.be.found }}", B: "{{ colour }}" }
    run: echo never

  broken: { description: x, steps: [good, { name: Both, run_as: parallel, steps: [bad, slow] }, after] }
  good: { run: echo good }
  bad: { run: "echo bad >&2; touch failed; exit 7" }
  slow: { run: "until [ -e failed ]; do sleep 0.02; done; echo slow to the end" }
  after: { run: echo never }

  forgiving: { description: x, steps: [shrug, { name: Group, ignore_failure: true, steps: [bad, after] }, last] }
  shrug: { ignore_failure: true, run: exit 4 }

  late: { description: x, timeout_seconds: 1, run: "echo begun; sleep 60" }
  by-setting: { description: x, run: sleep 60 }

  relay: { description: x, steps: [write, read] }
  write:
    run: |
      cat >"$SLUICE_STEP_RESULT" <<'END'
      { "properties_diffs": {
          "asset": [{ "op": "add", "path": "/from_asset", "value": 1 }],
          "change": [{ "op": "add", "path": "/from_change", "value": "two" }] } }
      END
  read: { env: { A: "{{ from_asset }}", B: "{{ from_change }}" }, run: 'echo "$A $B"' }

  foreign:
    description: x
    run: |
      echo '{"properties_diffs":{"project":[{"op":"add","path":"/written","value":true}]}}' >"$SLUICE_STEP_RESULT"
  everywhere:
    description: x
    run: |
      cat >"$SLUICE_STEP_RESULT" <<'END'
      { "properties_diffs": {
          "environment": [{ "op": "add", "path": "/of_environment", "value": 1 }],
          "template": [{ "op": "add", "path": "/of_template", "value": 2 }],
          "template_version": [{ "op": "add", "path": "/of_version", "value": 3 }] } }
      END
  conflicting:
    description: x
    env: { GATES: "{{ gates }}" }
    run: |
      touch "$GATES/counting"
      until [ -e "$GATES/counted" ]; do sleep 0.02; done
      cat >"$SLUICE_STEP_RESULT" <<'END'
      { "properties_diffs": { "asset": [
          { "op": "add", "path": "/new", "value": 1 },
          { "op": "test", "path": "/counter", "value": 1 },
          { "op": "replace", "path": "/counter", "value": 5 } ] } }
      END
      echo done its work
  malformed: { description: x, run: 'echo "{ not json" >"$SLUICE_STEP_RESULT"' }

  keep: { description: x, run: 'printf "kept\\\\0bytes" >"$SLUICE_ARTEFACTS/a file.bin"' }
  given:
    description: x
    run: |
      echo "$GREETING"; stat -c "%a" etc/conf.json; cat etc/conf.json; cat etc/raw
  secret:
    description: x
    env: { PASSWORD: "{{ database.password }}" }
    run: |
      echo "plain $PASSWORD"
      printf %s "$PASSWORD" | base64
      printf "x%s" "$PASSWORD" | base64
      printf %s "$PASSWORD" | sha256sum

  token:
    description: x
    shell: node
    run: |
      const { SLUICE_API_URL: url, SLUICE_API_TOKEN: token, SLUICE_ARTEFACTS: folder } = process.env
      const ask = async (method, path, attributes) => {
        const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
        const body = attributes && JSON.stringify({ data: { attributes } })
        console.log(method, path, (await fetch(url + path, { method, headers, body })).status)
      }
      await ask('GET', '/api/projects/shop')
      await ask('GET', '/api/projects/other')
      await ask('GET', '/api/system_configuration')
      await ask('POST', '/api/users', { username: 'evil', password: 'a long password' })
      await ask('POST', '/api/tokens', { description: 'mine', expires_at: '2099-01-01T00:00:00Z' })
      await ask('POST', '/api/authorisation_policies', { name: 'all mine' })
      await ask('POST', '/api/projects/shop/bookmarks', { description: 'by a step' })
      await (await import('node:fs/promises')).writeFile(folder + '/token', token)
`
