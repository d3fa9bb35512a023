// All that needs no libtorch. Link rubric::rubric.
#pragma once

#include "rubric/agreement.h"
#include "rubric/choose.h"
#include "rubric/compare.h"
#include "rubric/context.h"
#include "rubric/errors.h"
#include "rubric/estimate.h"
#include "rubric/judge_choice.h"
#include "rubric/metrics.h"
#include "rubric/missing.h"
#include "rubric/plan.h"
#include "rubric/records.h"
#include "rubric/scoring.h"
#include "rubric/version.h"
