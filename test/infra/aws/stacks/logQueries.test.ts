import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { logMessages } from '../../../../lib/log/logMessages.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'

const { observability, service } = synthesizeStage(stageWith({}, 'prod'))
const queries = observability
  .resources(
    'AWS::Logs::QueryDefinition',
    z.object({ Name: z.string(), LogGroupNames: z.array(z.string()), QueryString: z.string() }),
  )
  .map(({ Properties }) => Properties)

describe('The saved queries of a stage', () => {
  it('find one request, errors by route, one organization and slow calls', () => {
    expect(queries.map(({ Name }) => Name)).toEqual([
      'prod-console/One request',
      'prod-console/Errors by route',
      'prod-console/One organization',
      'prod-console/Slow calls',
    ])
  })

  it('search logs that there are, 50 at most', () => {
    const logs = service
      .resources('AWS::Logs::LogGroup', z.object({ LogGroupName: z.string().optional() }))
      .map(({ Properties }) => Properties.LogGroupName)
    for (const { LogGroupNames } of queries) {
      expect(LogGroupNames.filter((name) => !logs.includes(name))).toEqual([])
      expect(LogGroupNames.length).toBeLessThanOrEqual(50)
    }
  })

  it('name fields that lines have: of the access log, or of the service’s own log', () => {
    const [format] = service
      .resources('AWS::ApiGatewayV2::Stage', z.object({ AccessLogSettings: z.object({ Format: z.string() }) }))
      .map(({ Properties }) => Object.keys(JSON.parse(Properties.AccessLogSettings.Format)))
    const own = Object.values(logMessages).flatMap(({ fields }) => Object.keys(fields))
    const fields = new Set([...(format ?? []), ...own, 'message', 'answers'])
    const words = queries.flatMap(({ QueryString }) =>
      QueryString.replace(/"[^"]*"|count\(\*\)|@\w+/g, '').match(/\b[a-z][A-Za-z]*\b/g),
    )
    const language = new Set(['filter', 'sort', 'display', 'stats', 'by', 'as', 'desc', 'limit'])
    expect(words.filter((word) => word !== null && !fields.has(word) && !language.has(word))).toEqual([])
  })
})
