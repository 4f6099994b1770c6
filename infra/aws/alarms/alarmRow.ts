import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { WatchedTable } from './metrics.ts'

/** What the alarms of a stage watch. */
export interface AlarmSources {
  /** The stage's name. */
  readonly stage: string
  readonly api: HttpApi
  readonly deadLetters: IQueue
  readonly tables: readonly WatchedTable[]
  readonly mailConfigurationSet: string
  /** Names on AWS: the functions of the HTTP API, and the four that only their triggers reach. */
  readonly apiFunctions: readonly string[]
  readonly webhook: string
  readonly sweep: string
  readonly reconcile: string
  readonly erase: string
  /** Checks verified domains. */
  readonly domains: string
  /** Removes lost second factors. */
  readonly removals: string
  readonly moneyMails: string
  /** Numbers events and makes their deliveries. */
  readonly relay: string
  /** Sends events to endpoints. */
  readonly deliver: string
  /** Takes passwords and passkeys. */
  readonly signIn: string
}

/** An alarm: its metric, when it goes off, and the heading of `infra/runbook/alarms.md` that says what to do. */
export interface AlarmRow {
  readonly id: string
  /** `page` if customers are harmed now, `ticket` if a working day is soon enough. */
  readonly notifies: 'page' | 'ticket'
  readonly heading: string
  readonly says: string
  readonly metric: IMetric
  /** Goes off if the metric is at least this; 1 if left out. */
  readonly threshold?: number
  /** How many periods must be over the threshold; 1 if left out. */
  readonly periods?: number
  /** Among how many consecutive periods; `periods` if left out. A quiet period between two failures then hides nothing. */
  readonly of?: number
  /** Goes off if the metric is below the threshold instead. */
  readonly below?: true
  /** Also goes off if nothing is reported. */
  readonly mustRun?: true
  /** Sends nothing in maintenance, when the watched function is stopped on purpose. */
  readonly stopsInMaintenance?: true
  /** Goes off if Stripe is unavailable, too. Sends nothing then: `StripeUnavailable` does. */
  readonly consequenceOfStripe?: true
  /** Sends nothing itself: `StripeUnavailable` is made of it. */
  readonly ofStripe?: true
}
