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
    title: 'What these terms are',
    body: ({ name }) => (
      <>
        <p>
          They govern your use of this site, its charts, forecasts, saved predictions, interfaces and emails, together
          “the service”. {name} (“we”) provides it. By opening an account or using the service you agree to them; if you
          do not agree, do not use it.
        </p>
        <p>
          You must be at least 18 years old, or of the age at which you may enter such an agreement where you live. You
          must use the service for yourself or for someone who has allowed you to.
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
          offer or a solicitation to buy or sell anything. We know nothing of your circumstances, and no adviser or
          fiduciary relation comes into being.
        </p>
        <p>
          Forecasts are statements about how far a price is likely to move, made by statistical models that are often
          wrong. They do not say where a price goes: the median of each is the last close. Drawn candles are one
          plausible path of many. Figures of past measurement, given with intervals and misses on{' '}
          <Link to="/ai-models">AI Models</Link> and in <Link to="/research">Research</Link>, say nothing certain about
          the future. Paper trading and the market simulator use no real money, and their results are not those of
          trading.
        </p>
        <p>
          Trading can lose all you put in, and with leverage more. Whatever you decide, you decide it yourself and at
          your own risk.
        </p>
      </>
    ),
  },
  {
    id: 'terms-data',
    title: 'Market data: live, late, replayed, simulated',
    body: () => (
      <p>
        Prices come from third parties and may be late, wrong or missing. Where the service cannot reach them it shows
        recorded candles replayed, or a simulated market. A badge on the chart says which: “live”, “delayed”, “replayed”
        or “simulated”. Forecasts and paper trades made on replayed or simulated prices have nothing to do with any real
        market of that minute. Do not use the service where a late or wrong price could do harm.
      </p>
    ),
  },
  {
    id: 'terms-accounts',
    title: 'Accounts',
    body: () => (
      <>
        <p>
          Give an address that is yours, keep your password and second factors to yourself, and tell us when someone
          else may know them. What is done with your account counts as done by you until then. One person, one account;
          accounts are not shared or sold.
        </p>
        <p>
          You may stop using the service at any time, and ask us to close the account. There is no button for that yet:
          write to the contact at the end of this page.
        </p>
      </>
    ),
  },
  {
    id: 'terms-subscriptions',
    title: 'Subscriptions, renewal and cancellation',
    body: () => (
      <>
        <p>Paid plans are monthly. Prices and limits as of this text; the subscription page is what counts:</p>
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
          at the end of the period that is paid for: until then, and for {GRACE_HOURS} hours after it, the plan stays
          usable; then it ends without another charge. Until it has ended you can resume it. When a payment fails, the
          provider tries again, and the plan may end.
        </p>
        <p>
          Terms of a change of plan: a dearer plan takes effect immediately, for the remaining share of its price, and
          the amount due is shown before you confirm. A cheaper plan takes effect at the end of the period that is paid
          for. Unused predictions are not carried over. Prices may change for later periods; we tell you before.
        </p>
        <p>
          Refunds: <Placeholder>the operator’s refund policy, and any statutory right to withdraw</Placeholder>. Rights
          that the law gives you are not limited by this text.
        </p>
      </>
    ),
  },
  {
    id: 'terms-use',
    title: 'Acceptable use',
    body: () => (
      <>
        <p>Please do not</p>
        <ul>
          <li>get around limits, locks, quotas or the entitlement of a plan, or help others to;</li>
          <li>resell or republish forecasts or market data as a feed, or pass them off as advice or as your own;</li>
          <li>scrape, overload, probe or disturb the service, or use it to attack anyone;</li>
          <li>take part under another’s name, or upload what is unlawful or infringes someone’s rights;</li>
          <li>take apart what third parties’ terms forbid taking apart.</li>
        </ul>
        <p>
          You may keep, print and share your own saved predictions, with their date and the words “For research and
          education only”. We may slow, suspend or close accounts that break these rules, and say why where we may.
          Reports of weaknesses in good faith are welcome at the contact below.
        </p>
      </>
    ),
  },
  {
    id: 'terms-third-parties',
    title: 'Third-party data and attributions',
    body: () => (
      <>
        <p>Names and marks belong to their owners, none of whom endorses this service. With a live market it shows</p>
        <ul>
          <li>candles, prices and order books of exchanges, among them Binance, Bybit, OKX, Coinbase and Kraken;</li>
          <li>
            figures of the whole market and of coins by CoinGecko, or by CoinMarketCap where that does not answer;
          </li>
          <li>the Crypto Fear &amp; Greed Index by Alternative.me;</li>
          <li>
            calendar entries by Forex Factory; shares, metals and others by the data service that the operator uses;
          </li>
          <li>headlines and short summaries by the publishers named beside each, with a link to the article itself.</li>
        </ul>
        <p>
          Their own terms apply to their data. Publishers who want a headline taken down write to the contact below.
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
        of the other parts lie in the source, file NOTICE and the packages themselves; nothing in these terms limits the
        rights they give.
      </p>
    ),
  },
  {
    id: 'terms-liability',
    title: 'No warranty, and liability',
    body: () => (
      <>
        <p>
          The service is provided as it is and as it is available, without warranty of any kind, express or implied. As
          far as the law allows, there is no warranty of accuracy, fitness for a purpose, uninterrupted work or freedom
          from error.
        </p>
        <p>
          As far as the law allows, we are not liable for trading losses, lost gains, lost data or any indirect or
          consequential damage. For anything else, as far as the law allows, our liability is limited to what you paid
          in the twelve months before. Nothing here excludes liability that cannot be excluded by law, such as for
          intent, gross negligence or injury to persons.{' '}
          <Placeholder>The operator’s jurisdiction may require other wording here</Placeholder>.
        </p>
      </>
    ),
  },
  {
    id: 'terms-changes',
    title: 'Changes of the service and of these terms',
    body: () => (
      <p>
        The service changes; models, symbols and features may come and go, and what was paid for and ends is made good
        for the rest of the period. When these terms change in a way that matters, we say so on this page and to account
        holders by email at least <Placeholder>30 days</Placeholder> before. If you do not agree, you may cancel until
        then.
      </p>
    ),
  },
  {
    id: 'terms-law',
    title: 'Governing law',
    body: (operator) => (
      <p>
        <Placeholder>Governing law and place of jurisdiction</Placeholder>. Mandatory consumer law of the place where
        you live stays untouched. If one part of these terms is void, the rest holds. Before going to court, please
        write to <Contact operator={operator} />.
      </p>
    ),
  },
];
