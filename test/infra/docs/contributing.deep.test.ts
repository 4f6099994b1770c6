import { execFile } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { copyProject } from './copyProject.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const run = promisify(execFile)

describe('The steps of CONTRIBUTING to a read endpoint', () => {
  const name = 'organization-name'
  let copy: string

  /** Writes a file of the copy anew, from another file of it. */
  async function rewrite(from: string, to: string, changes: readonly (readonly [string, string])[]) {
    const before = await readFile(join(copy, from), 'utf8')
    const after = changes.reduce((text, [old, new_]) => {
      expect(text).toContain(old)
      return text.replaceAll(old, new_)
    }, before)
    await writeFile(join(copy, to), after)
  }

  beforeAll(async () => {
    copy = await copyProject()

    const rows = 'infra/manifest/organizations.ts'
    const row =
      /\n {2}\{\n {4}name: 'organization',[\s\S]*?\n {2}\},/.exec(await readFile(join(copy, rows), 'utf8'))?.[0] ?? ''
    const newRow = row
      .replace("name: 'organization'", `name: '${name}'`)
      .replace(/operationId: '\w+'/, "operationId: 'getOrganizationName'")
      .replace("{organization_id}'", "{organization_id}/name'")
    await rewrite(rows, rows, [[row, row + newRow]])

    await cp(join(copy, 'functions', 'organization'), join(copy, 'functions', name), { recursive: true })
    const [contract, handler] = [`functions/${name}/contract.ts`, `functions/${name}/handler.ts`]
    await rewrite(contract, contract, [
      ['{ organizationId }', '{ named, organizationId }'],
      ['200: organizationResource', "200: named('OrganizationName', z.strictObject({ name: z.string() }))"],
      [/import \{ organizationResource \}.*\n/.exec(await readFile(join(copy, contract), 'utf8'))?.[0] ?? '-', ''],
    ])
    await rewrite(handler, handler, [
      [
        'toOrganizationResource(await getOrganization(organizations, request))',
        '{ name: (await getOrganization(organizations, request)).organization.name }',
      ],
      [/import \{ toOrganizationResource \}.*\n/.exec(await readFile(join(copy, handler), 'utf8'))?.[0] ?? '-', ''],
    ])
    await cp(join(copy, 'events', 'organization.json'), join(copy, 'events', `${name}.json`))
  })
  afterAll(() => rm(copy, { recursive: true }))

  it('compile', async () => {
    const config = {
      extends: './tsconfig.json',
      include: [`functions/${name}`, 'infra/manifest.ts'],
      exclude: [],
    }
    await writeFile(join(copy, 'tsconfig.steps.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    await expect(run(tsc, ['-p', 'tsconfig.steps.json'], { cwd: copy })).resolves.toMatchObject({ stdout: '' })
  })

  it('put it into the API document, with the answers of its samples', async () => {
    const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`, NODE_OPTIONS: '' }
    await run(process.execPath, ['infra/openapi/openapi.ts', '--record'], { cwd: copy, env })
    const document: unknown = JSON.parse(await readFile(join(copy, 'lib/http/openapi.json'), 'utf8'))
    const schema = { $ref: '#/components/schemas/OrganizationName' }
    expect(document).toMatchObject({
      paths: {
        '/api/organizations/{organization_id}/name': {
          get: {
            operationId: 'getOrganizationName',
            responses: {
              200: {
                content: {
                  'application/json': { schema, examples: { member: { value: { name: expect.any(String) } } } },
                },
              },
            },
          },
        },
      },
      components: { schemas: { OrganizationName: { type: 'object', required: ['name'] } } },
    })
  })
})
