import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { logMessages } from '../../../../lib/log/logMessages.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const { observability, service } = synthesizeStage(stageWith({}, 'prod'))
const queries = observability
  .resources(
    'AWS::Logs::QueryDefinition',
    z.object({ Name: z.string(), LogGroupNames: z.array(z.string()), QueryString: z.string() }),
  )
  .map(({ Properties }) => Properties)

const [dashboard] = observability.resources('AWS::CloudWatch::Dashboard', z.object({ DashboardBody: reference }))
const widget = z.looseObject({ type: z.string(), properties: z.looseObject({}) })
const logWidget = z.object({ title: z.string(), view: z.string(), query: z.string() })
const graphs = z
  .object({ widgets: z.array(widget) })
  .parse(JSON.parse(dashboard?.Properties.DashboardBody ?? ''))
  .widgets.flatMap(({ type, properties }) => (type === 'log' ? [logWidget.parse(properties)] : []))

describe('The queries of a stage', () => {
  it('are saved: one request, errors by route, one organization, slow calls', () => {
    expect(queries.map(({ Name }) => Name)).toEqual([
      'prod-console/One request',
      'prod-console/Errors by route',
      'prod-console/One organization',
      'prod-console/Slow calls',
    ])
  })

  it('are drawn by route on the dashboard: calls, faults and times', () => {
    expect(graphs.map(({ title, view }) => [title, view])).toEqual([
      ['Calls by route', 'bar'],
      ['Faults by route', 'bar'],
      ['Milliseconds by route, p95', 'bar'],
    ])
    for (const { query } of graphs) {
      expect(query).toMatch(/^SOURCE '\/aws\/vendedlogs\/prod-console-api'/)
      expect(query).toContain('by routeKey')
    }
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
    const fields = new Set([...(format ?? []), ...own, 'message', 'answers', 'calls', 'faults', 'p95'])
    const texts = [...queries.map(({ QueryString }) => QueryString), ...graphs.map(({ query }) => query)]
    const words = texts.flatMap((text) =>
      text.replace(/SOURCE '[^']*'|"[^"]*"|count\(\*\)|@\w+/g, '').match(/\b[a-z][A-Za-z]*\b/g),
    )
    const language = new Set(['filter', 'sort', 'display', 'stats', 'by', 'as', 'desc', 'limit', 'pct'])
    expect(words.filter((word) => word !== null && !fields.has(word) && !language.has(word))).toEqual([])
  })
})
