import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import { ConsoleWebsite } from '../constructs/console/ConsoleWebsite.ts'
import type { ApiStack } from './apiStack.ts'

interface ConsoleWebStackProps extends StackProps {
  readonly stage: StageSettings
  readonly console: NonNullable<StageSettings['console']>
  readonly api: ApiStack
}

/** Stripe allows no other copy. */
const stripeScript = 'https://js.stripe.com/endive/stripe.js'

/** The console's files and address. If it is lost, `npm run console:publish` uploads the files again. */
export class ConsoleWebStack extends Stack {
  constructor(scope: Construct, id: string, { stage, console, api, ...props }: ConsoleWebStackProps) {
    super(scope, id, { description: 'Files of the console, and CloudFront in front of them', ...props })
    const { domain, clientId, stripePublishableKey } = console
    const { apiUrl } = api
    const issuer = stage.issuer ?? apiUrl
    const website = new ConsoleWebsite(this, 'Website', { name: `${stage.name}-console-web`, domain, apiUrl, issuer })
    const config = {
      ...{ issuer, client_id: clientId, api_base_url: apiUrl },
      ...{ stripe_publishable_key: stripePublishableKey, stripe_js_url: stripeScript },
    }
    this.output('ConsoleUrl', website.url, 'Where people find the console')
    this.output('ConsoleRedirectUri', `${website.url}/callback`, `The redirect URI of the client ${clientId}`)
    this.output('ConsoleBucket', website.bucketName, 'Where `npm run console:publish` puts the files')
    this.output('ConsoleConfig', this.toJsonString(config), 'The content of config.json')
    if (domain) {
      this.output('ConsoleDnsTarget', website.domainName, `Where DNS points ${domain.name}, as an alias`)
    }
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description })
  }
}
