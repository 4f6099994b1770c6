import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type IResponseHeadersPolicy,
  ResponseHeadersPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { Duration } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'

interface ConsoleHeadersProps {
  readonly name: string
  readonly apiUrl: string
  readonly issuer: string
}

/** Limits browsers on the console's page to its own files, calls to the API, and what Stripe.js needs (docs.stripe.com/security/guide). */
export class ConsoleHeaders extends Construct {
  readonly policy: IResponseHeadersPolicy

  constructor(scope: Construct, id: string, { name, apiUrl, issuer }: ConsoleHeadersProps) {
    super(scope, id)
    const connect = new Set(["'self'", apiUrl, issuer, 'https://api.stripe.com'])
    const contentSecurityPolicy = [
      "default-src 'none'",
      "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src ${[...connect].join(' ')}`,
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      "form-action 'self'",
      "base-uri 'self'",
      "frame-ancestors 'none'",
    ].join('; ')
    this.policy = new ResponseHeadersPolicy(this, 'Policy', {
      responseHeadersPolicyName: name,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(730), override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          { header: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=()', override: true },
        ],
      },
    })
  }
}
