import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Check } from './check.ts'
import { fetched, run } from './run.ts'

const version = '4.32.5'

/** What an answer must keep of the document: its status above all. Which bad requests are refused is held by the tests of the API. */
const kept = [
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

/** They end the account, the session or the organization that the other requests need. */
const left = [
  'deleteCurrentUser',
  'deleteOrganization',
  'leaveOrganization',
  'transferOwnership',
  'changePassword',
  'resetPassword',
  'endAllSessions',
  'endSession',
  'revokeToken',
  'withdrawConsent',
]

const options =
  '--phases examples,coverage --seed 1 --generation-deterministic --workers 2 --no-shrink --no-color --continue-on-failure --request-timeout 60'

/** Sends each operation the examples of the document and the edges of its schemas, as an owner of an organization. */
export const schemathesis: Check = {
  name: 'schemathesis',
  version,
  async run({ directory, documentFile, client }) {
    const at = (command: string) => join(directory, 'venv/bin', command)
    const inDirectory = { cwd: directory }
    await run('python3', ['--version'], inDirectory)
    await fetched(async () => {
      await run('python3', ['-m', 'venv', 'venv'], inDirectory)
      await run(at('pip'), ['install', '--quiet', `schemathesis==${version}`], inDirectory)
    })
    const organizationId = await client.newOrganization()
    const places = ['path', 'query'].map((place) => `"${place}.organization_id" = "${organizationId}"`)
    await writeFile(join(directory, 'schemathesis.toml'), ['[parameters]', ...places, ''].join('\n'))
    const said = await run(
      at('st'),
      [
        'run',
        documentFile,
        ...['--url', client.info.base_url, '--header', `Authorization: Bearer ${await client.accessToken('owner')}`],
        ...['--checks', kept.join(',')],
        ...options.split(' '),
        ...left.flatMap((id) => ['--exclude-operation-id', id]),
      ],
      { ...inDirectory, minutes: 30 },
    )
    const requests = said.match(/\d+ generated/)?.[0] ?? 'an unknown number'
    const refused = said.match(/Authentication failed: (\d+) operations/)?.[1] ?? 0
    return `0 undocumented statuses, headers and bodies; requests: ${requests}; operations that only refused: ${refused}`
  },
}
