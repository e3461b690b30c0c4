/** Causes in fetching a model: names, rights, the network. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

const BEFOREHAND =
  'download once beforehand (`hf download ORG/MODEL`, with HF_TOKEN), then give the local path and HF_HUB_OFFLINE=1';

/** A hub, or what asks one: other services limit, refuse and fail as well. */
const OF_HUB = /hugging|\bhf\b|hf[-_]|hub|modelscope|LocalToken/i;

export const HUB_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'repo-not-found',
    category: 'model_not_found',
    title: 'The hub has no such repository, or shows it to nobody without a token',
    why: 'Without a token a private repository reads as not found; a mistyped local path is taken for a repository id, too.',
    pattern: /RepositoryNotFoundError|Repository Not Found|is not a local folder and is not a valid model identifier/i,
    samples: [
      'huggingface_hub.errors.RepositoryNotFoundError: 401 Client Error. (Request ID: Root=1-66)\n\nRepository Not Found for url: https://huggingface.co/org/m/resolve/main/config.json.\nIf you are trying to access a private or gated repo, make sure you are authenticated.',
      "OSError: /models/Qwen3 is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'",
    ],
    remedy: () =>
      "Check the model path or repository id (`ls` the path on the host); for a private repository give HF_TOKEN in the recipe's environment.",
    link: PAGES.download,
    retry: 'no',
  },
  {
    id: 'gated-repo',
    category: 'gated_or_auth',
    title: 'The model is gated and the token may not read it',
    why: 'Its owner shows it only to accounts that accepted the terms, and none such asked.',
    pattern:
      /GatedRepoError|(?:Cannot access|access a) gated repo|is restricted\. You must (?:have access|be authenticated)/i,
    samples: [
      'huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: Root=1-67)\n\nCannot access gated repo for url https://huggingface.co/meta-llama/Llama-3.1-8B/resolve/main/config.json.',
      'OSError: You are trying to access a gated repo.\nMake sure to have access to it at https://huggingface.co/meta-llama/Llama-3.1-8B.',
    ],
    remedy: () =>
      "Accept the model's terms on its page, and give HF_TOKEN of that account in the recipe's environment.",
    link: PAGES.gated,
    retry: 'no',
  },
  {
    id: 'revision-not-found',
    category: 'model_not_found',
    title: 'The repository has no such revision',
    why: '--revision names a branch, tag or commit that is not there.',
    pattern: /RevisionNotFoundError|Revision Not Found|is not a valid git identifier/i,
    samples: ['huggingface_hub.errors.RevisionNotFoundError: 404 Client Error. Revision Not Found for url'],
    remedy: () => 'Correct --revision (or --code-revision, --tokenizer-revision), or leave it out.',
    link: PAGES.download,
    retry: 'no',
  },
  {
    id: 'offline-without-cache',
    category: 'model_not_found',
    title: 'The model is not in the cache, and the hub may not be asked',
    why: 'HF_HUB_OFFLINE=1 forbids downloads, and the cache of this user does not hold the model whole.',
    pattern:
      /OfflineModeIsEnabled|outgoing traffic has been disabled|IncompleteSnapshotError|LocalEntryNotFoundError.{0,400}offline/is,
    samples: [
      'huggingface_hub.errors.OfflineModeIsEnabled: Cannot reach https://huggingface.co/api/models/org/m: offline mode is enabled. To disable it, please unset the `HF_HUB_OFFLINE` environment variable.',
      'huggingface_hub.errors.LocalEntryNotFoundError: Cannot find an appropriate cached snapshot folder for the specified revision on the local disk and outgoing traffic has been disabled.',
    ],
    remedy: () =>
      'Unset HF_HUB_OFFLINE (and TRANSFORMERS_OFFLINE) once, or set HF_HOME to the cache that holds the model.',
    link: PAGES.hubVariables,
    retry: 'no',
  },
  {
    id: 'hub-rate-limited',
    category: 'download_stalled',
    title: 'The hub limits the rate of requests',
    why: 'Anonymous downloads, and many from one address, get a small share.',
    pattern: /\b429 (?:Client|Too|Server)|(?:HTTP|status|code)\W{1,3}429\b|Too Many Requests|\brate.?limit/i,
    beside: OF_HUB,
    samples: [
      'huggingface_hub.errors.HfHubHTTPError: 429 Client Error: Too Many Requests for url: https://huggingface.co/org/m/resolve/main/model-00001-of-00029.safetensors',
    ],
    remedy: () => `Give HF_TOKEN in the recipe's environment, and ${BEFOREHAND}.`,
    link: PAGES.rates,
    retry: 'may help',
  },
  {
    id: 'store-without-credentials',
    category: 'gated_or_auth',
    title: 'The object store asks for credentials',
    why: 'The model lies in S3, GCS or Azure, and the process has no key for it, or a wrong one.',
    pattern:
      /NoCredentialsError|Unable to locate credentials|DefaultCredentialsError|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken\b/,
    samples: [
      'botocore.exceptions.NoCredentialsError: Unable to locate credentials',
      'botocore.exceptions.ClientError: An error occurred (InvalidAccessKeyId) when calling the ListObjectsV2 operation',
    ],
    remedy: () =>
      "Give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or the cloud's own variables, or a role) in the recipe's environment, and the endpoint where it is not Amazon's (AWS_ENDPOINT_URL).",
    link: PAGES.variables,
    retry: 'no',
  },
  {
    id: 'token-refused',
    category: 'gated_or_auth',
    title: 'The hub refused the token',
    why: 'The token is missing, mistyped, expired, or has no right to read this.',
    pattern:
      /\b40[13] (?:Client Error|Forbidden|Unauthorized)|\bUnauthorized\b|Invalid (?:username or password|user token)|(?:token|authentication) is (?:required|invalid)|LocalTokenNotFoundError/i,
    beside: OF_HUB,
    samples: [
      'requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.co/org/m/resolve/main/config.json',
      'huggingface_hub.errors.HfHubHTTPError: 403 Forbidden: None.',
    ],
    remedy: () =>
      "Give a valid HF_TOKEN with read access in the recipe's environment, and accept the model's terms on its page.",
    link: PAGES.tokens,
    retry: 'no',
  },
  {
    id: 'hub-unreachable',
    category: 'download_stalled',
    title: "The hub can't be reached",
    why: 'The host has no way to huggingface.co: no network, no name service, or a proxy between.',
    pattern:
      /couldn't connect to|NameResolutionError|Temporary failure in name resolution|Max retries exceeded|Network is unreachable|No route to host|ProxyError|CERTIFICATE_VERIFY_FAILED/i,
    beside:
      /hugging|\bhf\b|hf[-_]|hub|modelscope|\/resolve\/|\/api\/(?:models|datasets)|cached files|resol|unreachable|No route|Proxy|CERTIFICATE/i,
    samples: [
      "OSError: We couldn't connect to 'https://huggingface.co' to load the files, and couldn't find them in the cached files.",
      "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with url: /api/models/org/m",
    ],
    remedy: () =>
      'Check from the host (`curl -I https://huggingface.co`; HTTPS_PROXY, HF_ENDPOINT), or copy the model there and give its path with HF_HUB_OFFLINE=1.',
    link: PAGES.hubVariables,
    retry: 'may help',
  },
  {
    id: 'hf-transfer-missing',
    category: 'missing_module',
    title: 'hf_transfer is wanted and not installed',
    why: 'HF_HUB_ENABLE_HF_TRANSFER=1 asks for a package of its own.',
    pattern: /HF_HUB_ENABLE_HF_TRANSFER|'hf_transfer' package is not available/,
    samples: [
      "ValueError: Fast download using 'hf_transfer' is enabled (HF_HUB_ENABLE_HF_TRANSFER=1) but 'hf_transfer' package is not available in your environment. Try `pip install hf_transfer`.",
    ],
    remedy: () => 'Unset HF_HUB_ENABLE_HF_TRANSFER, or run `pip install hf_transfer` in that environment.',
    link: PAGES.hubVariables,
    retry: 'no',
  },
  {
    id: 'download-broken',
    category: 'download_stalled',
    title: 'The download from the hub broke off',
    why: 'A connection to the hub ended or stood still before the file was whole.',
    pattern:
      /ReadTimeout|ConnectTimeout|Read timed out|IncompleteRead|ChunkedEncodingError|LocalEntryNotFoundError|Consistency check failed|hf_transfer|CAS service error|peer closed connection without sending complete message/,
    samples: [
      'requests.exceptions.ReadTimeout: (ReadTimeoutError("HTTPSConnectionPool(host=\'huggingface.co\', port=443): Read timed out. (read timeout=10)"))',
      'OSError: Consistency check failed: file should be of size 4976698592 but has size 12.',
      'huggingface_hub.errors.LocalEntryNotFoundError: An error happened while trying to locate the files on the Hub and we cannot find the appropriate snapshot folder',
    ],
    remedy: () => `Launch again, which goes on where it stopped, or ${BEFOREHAND}.`,
    link: PAGES.download,
    retry: 'may help',
  },
];
