/**
 * Import directions of the architecture, checked by machine; scripts/checks/check-directions.ts plants violations to
 * prove that they are found.
 */
const roofs = { domain: '^domain/', server: '^server/', web: '^web/', sandbox: '^sandbox/' };
/** The database, clock, log and limits that all parts of the server share. */
const CORE = '^server/core\\.ts$';
const web = (layer) => `^web/${layer}`;
const notTest = '\\.test\\.tsx?$|/testing/|test-setup';
/** Tests, their support and the laboratory: these may import test support. */
const tests = ['\\.test\\.tsx?$', '/testing/', '^tests/', '^lab/', 'test-setup\\.tsx?$'];
/** The commands that run tests. What only they import from the product is test support. */
const testCommands = '^scripts/test-commands/(fuzz|billing-histories)\\.ts$';
/** Files that start a process, a worker or a command. */
const entries = [
  '^server/main\\.ts$',
  '^server/community/changelog/render-worker\\.ts$',
  '^server/forecast/inference/inference-process\\.ts$',
  '^web/(main|prerender)\\.tsx$',
  '^web/forecast-page/forecast-page\\.ts$',
  '^scripts/[a-z-]+\\.(ts|mjs)$',
  '^scripts/(checks|operator)/[a-z-]+\\.ts$',
  '^scripts/test-commands/test-[a-z]+\\.ts$',
  '^scripts/site/(build-site|vite-build|recompute)\\.ts$',
  '^scripts/docs/(build-docs|draw-diagrams|docs-config|write-http-api|theme/index)\\.ts$',
  '^scripts/packages/(build-packages|write-types)\\.ts$',
  '^scripts/supply/(audit-packages|write-licences|write-addresses|sbom)\\.ts$',
  '^scripts/image/(try-image\\.ts|[a-z-]+\\.mjs)$',
  '^scripts/pictures/make-pictures\\.ts$',
  // Loaded by the test runner, by its path.
  '^scripts/test-run/progress-reporter\\.ts$',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'nothing-imports-the-lab',
      comment: 'the laboratory may import everything, and the product runs without it',
      severity: 'error',
      from: { pathNot: '^lab/' },
      to: { path: '^lab/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'domain imports only itself and zod/mini',
      severity: 'error',
      from: { path: roofs.domain, pathNot: notTest },
      to: { pathNot: ['^domain/', '^node_modules/zod/'] },
    },
    {
      name: 'domain-zod-mini-only',
      severity: 'error',
      from: { path: roofs.domain, pathNot: notTest },
      to: { path: '^node_modules/zod/', pathNot: '^node_modules/zod/(v4-)?mini/' },
    },
    {
      name: 'ground-stays-ground',
      severity: 'error',
      from: { path: '^domain/(errors|time|format)/', pathNot: notTest },
      to: { path: '^domain/', pathNot: '^domain/(errors|time|format)/' },
    },
    {
      name: 'server-alone',
      severity: 'error',
      from: { path: roofs.server },
      to: { path: '^(web|sandbox|tests|scripts)/', pathNot: '^tests/support/' },
    },
    {
      name: 'web-alone',
      severity: 'error',
      from: { path: roofs.web },
      to: { path: '^(server|sandbox|tests|scripts)/' },
    },
    {
      name: 'sandbox-alone',
      severity: 'error',
      from: { path: roofs.sandbox },
      to: { path: '^(server|web|tests|scripts)/', pathNot: '^tests/support/' },
    },
    {
      name: 'packages-alone',
      comment: 'packages for others have no dependency, and the verifier shares nothing with the server',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { pathNot: '^packages/$1/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'client-no-node',
      severity: 'error',
      from: { path: '^packages/client/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'packages-for-others',
      comment: 'only tests and commands use our own packages',
      severity: 'error',
      from: { pathNot: '^(packages|tests|scripts|lab)/' },
      to: { path: '^packages/' },
    },
    {
      name: 'web-no-node',
      severity: 'error',
      from: { path: roofs.web, pathNot: notTest },
      to: { dependencyTypes: ['core'] },
    },

    {
      name: 'testing-for-tests-only',
      comment: 'product code never imports test support',
      severity: 'error',
      from: { pathNot: tests },
      to: {
        path: ['^(domain|server|web|sandbox|scripts)/testing/', '^(domain|server|web|sandbox|scripts)/.*/testing/'],
      },
    },
    {
      name: 'test-support-in-testing',
      comment: 'move a file that only tests reach to a testing/ folder, and delete a file that nothing reaches',
      severity: 'error',
      from: { path: entries },
      to: {
        path: '^(domain|server|web|sandbox|scripts)/.*\\.tsx?$',
        pathNot: [...entries, testCommands, ...tests],
        reachable: false,
      },
    },

    {
      name: 'core-on-platform',
      comment: 'every folder of the server may import the core, so it rests on the lowest alone',
      severity: 'error',
      from: { path: CORE },
      to: { path: '^server/', pathNot: '^server/platform/' },
    },
    // server: main -> app, operations; app -> account -> backend; record -> forecast -> market, billing -> platform -> domain; community -> platform
    {
      name: 'platform-knows-no-product',
      severity: 'error',
      from: { path: '^server/platform/' },
      to: { path: '^server/', pathNot: [CORE, '^server/platform/'] },
    },
    {
      name: 'market-below-forecast',
      severity: 'error',
      from: { path: '^server/market/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(market|platform)/'] },
    },
    {
      name: 'billing-below-forecast',
      severity: 'error',
      from: { path: '^server/billing/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(billing|platform)/'] },
    },
    {
      name: 'community-on-platform',
      severity: 'error',
      from: { path: '^server/community/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(community|platform)/'] },
    },
    {
      name: 'forecast-on-market-and-billing',
      severity: 'error',
      from: { path: '^server/forecast/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(forecast|market|platform|billing/entitlements\\.ts)'] },
    },
    {
      name: 'backup-on-platform',
      comment: 'copies tables and files whatever they hold',
      severity: 'error',
      from: { path: '^server/backup/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(backup|platform)/'] },
    },
    {
      name: 'record-on-forecast',
      severity: 'error',
      from: { path: '^server/record/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(record|forecast|market|platform|billing/entitlements\\.ts)'] },
    },
    {
      name: 'programs-on-record',
      comment: 'what programs read with a key; given their key reader, they know no accounts',
      severity: 'error',
      from: { path: '^server/programs/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(programs|record|forecast|market|platform)/'] },
    },
    {
      name: 'nobody-imports-programs',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/(compose/programs\\.ts$|programs/)', notTest] },
      to: { path: '^server/programs/' },
    },
    {
      name: 'alerts-on-record',
      severity: 'error',
      from: { path: '^server/alerts/' },
      to: {
        path: '^server/',
        pathNot: [CORE, '^server/(alerts|push|record|forecast|market|platform|billing/entitlements\\.ts)'],
      },
    },
    {
      name: 'nobody-imports-alerts',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/(compose/user-services\\.ts$|alerts/)', notTest] },
      to: { path: '^server/alerts/' },
    },
    {
      name: 'push-on-platform',
      severity: 'error',
      from: { path: '^server/push/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(push|platform)/'] },
    },
    {
      name: 'push-for-alerts',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: ['^server/(dev-routes|compose/user-services)\\.ts$|^server/(alerts|push)/', notTest],
      },
      to: { path: '^server/push/' },
    },
    {
      name: 'webhooks-on-backend',
      comment: 'creating an endpoint needs the session’s proof, and notifies the owner as security changes do',
      severity: 'error',
      from: { path: '^server/webhooks/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(webhooks|platform|backend/auth/)'] },
    },
    {
      name: 'chat-on-backend',
      comment: 'linking a chat needs the session’s proof, and notifies the owner as security changes do',
      severity: 'error',
      from: { path: '^server/chat/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(chat|platform|backend/auth/)'] },
    },
    {
      name: 'auth-extensions-by-their-list',
      comment: 'ways to sign in that no page of ours uses are reached through their list of routes, or by type',
      severity: 'error',
      from: { path: '^server/backend/', pathNot: ['^server/backend/auth/extensions/', notTest] },
      to: {
        path: '^server/backend/auth/extensions/',
        pathNot: '^server/backend/auth/extensions/(extension-routes|reauthenticate|organisations/saml-providers)\\.ts$',
      },
    },
    {
      name: 'account-on-backend',
      comment: 'devices, recovery codes and the download rest on the auth service and its limits',
      severity: 'error',
      from: { path: '^server/account/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(account|platform|backend/(auth/|(guess-)?limits\\.ts))'] },
    },
    {
      name: 'backend-on-platform',
      severity: 'error',
      from: { path: '^server/backend/' },
      to: { path: '^server/', pathNot: [CORE, '^server/(backend|platform)/'] },
    },
    {
      name: 'operations-above-all',
      comment: 'sees every capability and changes none: it is given functions, and imports their types',
      severity: 'error',
      from: { path: '^server/operations/' },
      to: {
        path: '^server/',
        pathNot: [
          CORE,
          '^server/(operations|platform|billing/entitlements\\.ts|market/market-state\\.ts|forecast/(forecast-meter|models/model-registry)\\.ts)',
        ],
      },
    },
    {
      name: 'nobody-imports-operations',
      comment: 'but what composes: main and the operator’s commands',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/((main|compose/commands)\\.ts$|operations/)', notTest] },
      to: { path: '^server/operations/' },
    },
    {
      name: 'nobody-imports-main',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/main\\.ts$', notTest] },
      to: { path: '^server/(main|app)\\.ts$' },
    },

    // web: main -> app -> pages -> features -> session -> site, charts, brand -> ui, platform -> page-state.ts -> domain
    {
      name: 'web-platform-lowest',
      severity: 'error',
      from: { path: web('platform/') },
      to: { path: '^web/', pathNot: web('(platform/|page-state\\.ts$)') },
    },
    {
      name: 'web-ui-low',
      severity: 'error',
      from: { path: web('ui/') },
      to: { path: '^web/', pathNot: web('(ui/|page-state\\.ts$)') },
    },
    {
      name: 'web-charts-on-ui',
      severity: 'error',
      from: { path: web('charts/') },
      to: { path: '^web/', pathNot: web('((charts|ui)/|page-state\\.ts$)') },
    },
    {
      name: 'web-session-low',
      severity: 'error',
      from: { path: web('session/'), pathNot: notTest },
      to: { path: '^web/', pathNot: web('((session|site|ui|platform)/|page-state\\.ts$)') },
    },
    {
      name: 'web-site-below-session',
      comment: 'configuration and source badges know nothing of who is signed in',
      severity: 'error',
      from: { path: web('site/'), pathNot: notTest },
      to: { path: '^web/', pathNot: web('((site|ui|platform)/|page-state\\.ts$)') },
    },
    {
      name: 'web-brand-on-ui',
      severity: 'error',
      from: { path: web('brand/') },
      to: { path: '^web/', pathNot: web('(brand|ui)/') },
    },
    {
      name: 'features-go-down',
      severity: 'error',
      from: { path: web('features/') },
      to: { path: web('(pages|app|main)') },
    },
    {
      name: 'features-apart',
      comment: 'a page puts two features side by side',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: { path: '^web/features/', pathNot: '^web/features/$1/' },
    },
    { name: 'pages-below-app', severity: 'error', from: { path: web('pages/') }, to: { path: web('(app|main)') } },
    {
      name: 'pages-fetch-nothing',
      severity: 'error',
      from: { path: web('pages/') },
      to: { path: web('platform/') },
    },
    {
      name: 'only-api-files-call-out',
      comment:
        'within features only *-api.ts touches web/platform; reporting an error, its class, and reading settings are not calls of the feature',
      severity: 'error',
      from: { path: web('features/'), pathNot: ['-api\\.tsx?$', notTest] },
      to: { path: web('platform/'), pathNot: web('platform/(error-log|query-client|calls/call-error)\\.ts') },
    },

    // one module per outside dependency
    {
      name: 'chart-library-home',
      severity: 'error',
      from: { pathNot: ['^web/charts/', '^lab/bench/pages/bare/'] },
      to: { path: '^node_modules/lightweight-charts' },
    },
    {
      name: 'database-driver-home',
      severity: 'error',
      from: { pathNot: '^(server/platform/database|tests/(support|database)|lab)/' },
      to: { path: '^node_modules/(postgres|@electric-sql)/' },
    },
    {
      name: 'mcp-library-home',
      severity: 'error',
      from: { pathNot: '^(server/programs/mcp|tests)/|^node_modules/' },
      to: { path: '^node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'broker-client-home',
      severity: 'error',
      from: { pathNot: '^server/platform/processes/nats-bus\\.ts$|^node_modules/' },
      to: { path: '^node_modules/@nats-io/' },
    },
    {
      name: 'backend-client-home',
      severity: 'error',
      from: { pathNot: '^(web/platform|tests|lab)/' },
      to: { path: '^node_modules/@supabase/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'mail-library-home',
      severity: 'error',
      from: { pathNot: '^server/platform/mail/smtp-transport\\.ts$' },
      to: { path: '^node_modules/nodemailer/' },
    },
    {
      name: 'push-library-home',
      severity: 'error',
      // The simulated push service is tested with messages that the real library encrypts.
      from: { pathNot: '^server/push/web-push-transport\\.ts$|^sandbox/push/sandbox-push\\.test\\.ts$' },
      to: { path: '^node_modules/(@types/)?web-push/' },
    },
    {
      name: 'fetch-library-home',
      severity: 'error',
      from: { pathNot: '^server/platform/outbound/whole-answers\\.ts$|^node_modules/' },
      to: { path: '^node_modules/undici/' },
    },
    {
      name: 'telemetry-library-home',
      severity: 'error',
      from: { pathNot: '^server/platform/telemetry/(metrics|traces)\\.ts$|^node_modules/' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'mail-sink-home',
      severity: 'error',
      from: { pathNot: '^sandbox/mailbox/' },
      to: { path: '^node_modules/(smtp-server|postal-mime)/' },
    },
    {
      name: 'payment-library-home',
      severity: 'error',
      from: {
        pathNot:
          '^(sandbox/payments/|server/billing/(provider/(stripe-client|provider-call)|[a-z/-]+\\.test)\\.ts$|tests/|lab/)',
      },
      to: { path: '^node_modules/stripe/' },
    },
    {
      name: 'icons-by-file',
      comment:
        "import Check from 'lucide-react/icons/check': through the index, every page's icons load with the first paint",
      severity: 'error',
      from: { path: roofs.web },
      to: {
        path: '^node_modules/lucide-react/dist/(lucide-react|esm/lucide-react)\\.',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'openid-client-home',
      severity: 'error',
      from: { pathNot: '^server/backend/auth/providers/google-provider\\.ts$' },
      to: { path: '^node_modules/openid-client/' },
    },
    {
      name: 'openid-provider-home',
      severity: 'error',
      from: { pathNot: '^sandbox/identity/' },
      to: { path: '^node_modules/(oidc-provider|@types/oidc-provider)/' },
    },
    {
      name: 'picture-library-home',
      severity: 'error',
      from: {
        pathNot:
          '^(server/(platform/open-sharp|backend/storage/images|community/news/collect-pictures|record/share/picture/picture-process)\\.ts$|scripts/pictures/|lab/|tests/)',
      },
      to: { path: '^node_modules/(sharp|file-type)/' },
    },
    {
      name: 'file-store-client-home',
      severity: 'error',
      from: { pathNot: '^server/backend/storage/files/s3-files\\.ts$' },
      to: { path: '^node_modules/@aws-sdk/' },
    },
    {
      name: 'inference-runtime-home',
      severity: 'error',
      from: { pathNot: '^(server/forecast/network/network\\.ts$|lab/)' },
      to: { path: '^node_modules/onnxruntime-' },
    },
    {
      name: 'inference-runtime-apart',
      comment: 'a fault of native code must end the inference process, not the server',
      severity: 'error',
      from: { path: '^server/main\\.ts$' },
      to: { path: '^server/forecast/network/network\\.ts$', reachable: true },
    },
    {
      name: 'password-hash-home',
      comment: 'a hash fills a core for some 60 ms: only its own thread makes one',
      severity: 'error',
      from: { pathNot: '^server/backend/auth/passwords/(hashing-worker|passwords\\.test)\\.ts$' },
      to: { path: '^node_modules/@node-rs/bcrypt' },
    },
  ],
  options: {
    parser: 'swc',
    // The copy with planted faults reaches node_modules through a link.
    preserveSymlinks: true,
    doNotFollow: { path: 'node_modules' },
    // What training leaves there is not ours.
    exclude: { path: '^lab/training/(\\.venv|cache|runs)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
};
