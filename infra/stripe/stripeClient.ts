import Stripe from 'stripe'

export function stripeClient(apiBase: string, secretKey: string): Stripe {
  const { protocol, hostname, port } = new URL(apiBase)
  return new Stripe(secretKey, {
    protocol: protocol === 'https:' ? 'https' : 'http',
    host: hostname,
    ...(port !== '' && { port }),
    telemetry: false,
  })
}
