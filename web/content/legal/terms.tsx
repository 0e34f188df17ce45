/** A template for the operator to review. It must match what this product does. */
import { Link } from 'react-router';
import { PLAN_LABELS, PLANS } from '#domain/billing/plans.ts';
import { GRACE_S } from '#domain/billing/subscription.ts';
import { dollars } from '#domain/format/dollars.ts';
import type { LegalSection } from './legal-section.ts';
import { Contact, Placeholder } from './placeholder.tsx';

const PAID_PLANS = ['bobcat', 'lion'] as const;
const GRACE_HOURS = GRACE_S / 3600;

export const TERMS: readonly LegalSection[] = [
  {
    id: 'terms-agreement',
    title: 'About these terms',
    body: ({ name }) => (
      <>
        <p>
          These terms govern your use of this site, its charts, forecasts, saved predictions, interfaces and emails
          (together, “the service”). {name} (“we”) provides it. By opening an account or using the service, you agree to
          them. If you do not agree, do not use it.
        </p>
        <p>
          You must be at least 18 years old, or old enough to enter such an agreement where you live. You may use the
          service only for yourself or for someone who has authorised you.
        </p>
      </>
    ),
  },
  {
    id: 'terms-research',
    title: 'Research and education only',
    body: () => (
      <>
        <p>
          <strong>Nothing here is financial, investment, legal or tax advice</strong>, a recommendation, a signal, an
          offer or a solicitation to buy or sell anything. We know nothing about your circumstances, and no advisory or
          fiduciary relationship is created.
        </p>
        <p>
          Forecasts estimate how far a price is likely to move. They come from statistical models that are often wrong.
          They do not say where a price is going: the median of each is the last close. Drawn candles are one plausible
          path of many. Past results, published with intervals and misses on <Link to="/ai-models">AI Models</Link> and
          in <Link to="/research">Research</Link>, do not guarantee future ones. Paper trading and the market simulator
          use no real money, and their results are not those of real trading.
        </p>
        <p>
          You can lose everything you put into trading, and more with leverage. Your decisions are your own, at your own
          risk.
        </p>
      </>
    ),
  },
  {
    id: 'terms-data',
    title: 'Market data: live, late, replayed, simulated',
    body: () => (
      <p>
        Prices come from third parties and may be late, wrong or missing. When the service cannot reach them, it replays
        recorded candles or shows a simulated market. A badge on the chart says which: “live”, “delayed”, “replayed” or
        “simulated”. Forecasts and paper trades made on replayed or simulated prices do not reflect the real market at
        that time. Do not use the service where a late or wrong price could do harm.
      </p>
    ),
  },
  {
    id: 'terms-accounts',
    title: 'Accounts',
    body: () => (
      <>
        <p>
          Use your own email address, keep your password and second factors to yourself, and tell us if someone else may
          know them. Until you do, you are responsible for what happens in your account. Each person may have one
          account, and accounts may not be shared or sold.
        </p>
        <p>
          You may stop using the service at any time. Delete your account on its security page. If that page can’t do
          it, write to the contact at the end of this page.
        </p>
      </>
    ),
  },
  {
    id: 'terms-subscriptions',
    title: 'Subscriptions, renewal and cancellation',
    body: () => (
      <>
        <p>
          Paid plans are monthly. These are the prices and limits at the date of this text; the subscription page shows
          those that apply:
        </p>
        <ul>
          {PAID_PLANS.map((plan) => (
            <li key={plan}>
              {PLAN_LABELS[plan]}: {dollars(PLANS[plan].priceCents)} a month, {PLANS[plan].perDay} predictions a day and{' '}
              {PLANS[plan].perMonth} a month.
            </li>
          ))}
        </ul>
        <p>
          A plan renews each month until it is cancelled, and the payment provider charges the card on file. You can
          cancel at any time on the <Link to="/account/subscription">subscription page</Link>. Cancelling takes effect
          at the end of the paid period: until then, and for {GRACE_HOURS} hours after it, the plan stays usable; then
          it ends without another charge. You can resume it until it has ended. When a payment fails, the provider tries
          again, and the plan may end.
        </p>
        <p>
          If you change to a more expensive plan, it takes effect immediately, you pay for the rest of the period, and
          we show the amount due before you confirm. A cheaper plan takes effect at the end of the paid period. Unused
          predictions do not carry over. Prices may change for later periods; we will tell you beforehand.
        </p>
        <p>
          Refunds: <Placeholder>the operator’s refund policy, and any statutory right to withdraw</Placeholder>. Nothing
          in this text limits your legal rights.
        </p>
      </>
    ),
  },
  {
    id: 'terms-use',
    title: 'Acceptable use',
    body: () => (
      <>
        <p>Please do not:</p>
        <ul>
          <li>get around limits, locks, quotas or the limits of a plan, or help others do so;</li>
          <li>resell or republish forecasts or market data as a feed, or pass them off as advice or as your own;</li>
          <li>scrape, overload, probe or disrupt the service, or use it to attack anyone;</li>
          <li>impersonate anyone, or upload anything unlawful or that infringes someone’s rights;</li>
          <li>reverse engineer anything whose terms forbid it.</li>
        </ul>
        <p>
          You may keep, print and share your own saved predictions, with their date and the words “For research and
          education only”. We may slow, suspend or close accounts that break these rules, and will say why where the law
          allows. Good-faith reports of security weaknesses are welcome at the contact below.
        </p>
      </>
    ),
  },
  {
    id: 'terms-third-parties',
    title: 'Third-party data and attributions',
    body: () => (
      <>
        <p>
          Names and trademarks belong to their owners, none of whom endorses this service. With a live market, it shows:
        </p>
        <ul>
          <li>candles, prices and order books from exchanges, including Binance, Bybit, OKX, Coinbase and Kraken;</li>
          <li>
            figures for coins and the whole market from CoinGecko, or from CoinMarketCap if CoinGecko is unavailable;
          </li>
          <li>the Crypto Fear &amp; Greed Index from Alternative.me;</li>
          <li>calendar entries from Forex Factory, and shares, metals and others from the operator’s data service;</li>
          <li>headlines and short summaries from the publisher named beside each, with a link to the article.</li>
        </ul>
        <p>
          Their own terms apply to their data. Publishers who want a headline removed can write to the contact below.
          Links lead to sites that we do not control.
        </p>
      </>
    ),
  },
  {
    id: 'terms-open-source',
    title: 'Open-source notices',
    body: () => (
      <p>
        The service is built on open-source software, each part under its own licence. Charts are drawn with TradingView
        Lightweight Charts™, copyright © 2025 TradingView, Inc. (
        <a href="https://www.tradingview.com/">tradingview.com</a>), under the Apache License 2.0. Licences and notices
        for the other parts are in the source code, in the NOTICE file and in the packages themselves. Nothing in these
        terms limits the rights they give.
      </p>
    ),
  },
  {
    id: 'terms-liability',
    title: 'No warranty, and liability',
    body: () => (
      <>
        <p>
          The service is provided “as is” and “as available”, without warranty of any kind, express or implied. As far
          as the law allows, we give no warranty of accuracy, fitness for a purpose, uninterrupted service or freedom
          from errors.
        </p>
        <p>
          As far as the law allows, we are not liable for trading losses, lost profits, lost data or any indirect or
          consequential damage. For anything else, as far as the law allows, our liability is limited to what you paid
          in the preceding twelve months. Nothing here excludes liability that cannot be excluded by law, such as for
          intent, gross negligence or personal injury.{' '}
          <Placeholder>The operator’s jurisdiction may require other wording here</Placeholder>.
        </p>
      </>
    ),
  },
  {
    id: 'terms-changes',
    title: 'Changes to the service and these terms',
    body: () => (
      <p>
        The service changes, and models, symbols and features may come and go. If something you paid for ends, we
        compensate you for the rest of the period. When these terms change in a way that matters, we announce it on this
        page and by email to account holders at least <Placeholder>30 days</Placeholder> before. If you do not agree,
        you may cancel until then.
      </p>
    ),
  },
  {
    id: 'terms-law',
    title: 'Governing law',
    body: (operator) => (
      <p>
        <Placeholder>Governing law and place of jurisdiction</Placeholder>. The mandatory consumer law of the place
        where you live still applies. If one part of these terms is void, the rest remains in force. Before going to
        court, please write to <Contact operator={operator} />.
      </p>
    ),
  },
];
