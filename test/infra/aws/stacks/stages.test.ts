import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { routes } from '../../../../infra/data/routes.ts'
import { stageNamed, stageSettings, stages } from '../../../../infra/data/stages.ts'
import { type FunctionRow, manifest } from '../../../../infra/manifest.ts'
import { context } from './assembled.ts'
import { stageWith } from './synthesized.ts'

const rows: readonly FunctionRow[] = manifest
const routeKeys = Object.entries(routes).flatMap(([path, methods]) => methods.map((method) => `${method} ${path}`))

describe('The stages', () => {
  it('are dev, staging and prod, and no other is found', () => {
    expect(Object.keys(stages)).toEqual(['dev', 'staging', 'prod'])
    expect(stageNamed('prod').name).toBe('prod')
    for (const name of ['production', 'toString', undefined]) expect(() => stageNamed(name)).toThrow('there are dev')
  })

  it('limit, throttle and reserve for routes and functions that there are', () => {
    for (const { routeThrottles, reservedConcurrency } of Object.values(stages)) {
      expect(routeKeys).toEqual(expect.arrayContaining(Object.keys(routeThrottles)))
      expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(reservedConcurrency)))
    }
  })

  it('run no schedule twice at once, except what a stream starts too', () => {
    const isAlone = ({ trigger }: FunctionRow) => trigger.kind === 'schedule' && trigger.stream === undefined
    const schedules = rows.filter(isAlone).map(({ name }) => name)
    for (const { reservedConcurrency } of Object.values(stages)) {
      expect(schedules.map((name) => reservedConcurrency[name])).toEqual(schedules.map(() => 1))
    }
  })

  describe('Given a brown-out of Stripe in prod', () => {
    const reserved = stageNamed('prod').reservedConcurrency
    const waiting = rows.filter(
      ({ secrets, trigger }) => secrets.includes('stripeSecretKey') && trigger.kind === 'http',
    )
    const sum = (names: readonly string[]) => names.reduce((all, name) => all + (reserved[name] ?? 0), 0)
    const quota = 1000

    it('everything whose callers wait for Stripe is bounded, together by 350 of an account’s 1,000 instances', () => {
      expect(waiting.length).toBeGreaterThan(10)
      expect(waiting.filter(({ name }) => reserved[name] === undefined)).toEqual([])
      expect(sum(waiting.map(({ name }) => name))).toBeLessThanOrEqual(350)
    })

    it('signing in keeps a share of its own, and the rest more than 400', () => {
      expect(sum(['oauth-token', 'oauth-authorize', 'oauth-authorize-submit'])).toBe(160)
      // AWS refuses reservations that leave fewer than 100.
      expect(quota - sum(Object.keys(reserved))).toBeGreaterThan(400)
    })

    it('no call that waits for nothing outside AWS is bounded but those and the schedules', () => {
      const bounded = rows.filter(
        ({ name, secrets, trigger }) =>
          reserved[name] && trigger.kind !== 'schedule' && !secrets.includes('stripeSecretKey'),
      )
      expect(bounded.map(({ name }) => name)).toEqual(['oauth-token', 'oauth-authorize', 'oauth-authorize-submit'])
    })
  })

  it('take clients under development but for prod', () => {
    const taken = Object.values(stages).map(({ name, developmentRedirects }) => [name, developmentRedirects])
    expect(Object.fromEntries(taken)).toEqual({ dev: true, staging: true, prod: false })
  })

  it('delete data in dev only', () => {
    expect(Object.values(stages).map(({ name, removal }) => [name, removal])).toEqual([
      ['dev', 'destroy'],
      ['staging', 'retain'],
      ['prod', 'retain'],
    ])
  })

  it('send mail, from an address at the domain that SES sends for', () => {
    const { mail, ...mute } = stageNamed('dev')
    expect(() => stageSettings.parse(mute)).toThrow('mail')
    expect(() => stageWith({ mail: { ...mail, from: 'no-reply@elsewhere.example.com' } })).toThrow('SES sends')
    const { branding } = stageNamed('dev')
    expect(() => stageWith({ branding: { ...branding, senderName: 'Console <' } })).toThrow('senderName')
  })

  it('have the certificate of their own region, in front of which API Gateway and CloudFront take no other', () => {
    const named = (certificateRegion: string) => ({
      name: 'api.example.com',
      certificateArn: `arn:aws:acm:${certificateRegion}:111122223333:certificate/0`,
    })
    expect(() => stageWith({ region: 'eu-central-1', domain: named('eu-central-1') })).not.toThrow()
    expect(() => stageWith({ region: 'us-east-1', waf: true, domain: named('us-east-1') })).not.toThrow()
    for (const region of ['eu-central-1', undefined])
      expect(() => stageWith({ region, domain: named('us-east-1') })).toThrow('set region to that of the certificate')
    // CloudFront's is in us-east-1 whatever the stage's region is.
    const console = { clientId: 'console', stripePublishableKey: 'pk_test_x' }
    const hosted = (domain: ReturnType<typeof named>) =>
      stageWith({ region: 'eu-central-1', console: { ...console, domain } })
    expect(() => hosted(named('us-east-1'))).not.toThrow()
    expect(() => hosted(named('eu-central-1'))).toThrow('certificateArn')
  })

  it('name no setting that is none', () => {
    const misspelt = { ...stages.prod, alarmMail: 'duty@example.com' }
    expect(() => stageWith(misspelt)).toThrow('alarmMail')
  })
})

describe('cdk.json', () => {
  it('sets every feature flag that the CDK recommends', () => {
    const file = new URL('../../../../node_modules/aws-cdk-lib/recommended-feature-flags.json', import.meta.url)
    const flags = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')))
    expect(Object.keys(flags).length).toBeGreaterThan(80)
    expect(context).toMatchObject(flags)
  })

  it('synthesizes dev where nothing else is asked for', () => {
    expect(context.stage).toBe('dev')
  })
})
