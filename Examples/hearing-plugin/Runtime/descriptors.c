// The tables that describe the plugin to hosts. Bundle/hearing-processing.ttl contains the same
// data for LV2.

#include "HearingPluginRuntime.h"
#include "HostInterfaces.h"

// Constants of LADSPA.
enum { Input = 1, Output = 2, Control = 4, Audio = 8 };
enum { Below = 1, Above = 2, Switch = 4, Integer = 0x20 };
enum { Default0 = 0x200, Default1 = 0x240, Default100 = 0x280 };

#define EACH_FREQUENCY(ear, do) \
  do(ear, "250") do(ear, "500") do(ear, "1000") do(ear, "2000") do(ear, "3000") do(ear, "4000") do(ear, "6000") \
  do(ear, "8000")
#define THRESHOLD_KIND(ear, frequency) Input | Control,
#define THRESHOLD_NAME(ear, frequency) ear " threshold " frequency " Hz (dB HL)",
#define THRESHOLD_RANGE(ear, frequency) {Below | Above | Default0, -10, 120},

static const int kinds[PortCount] = {
    Input | Audio,   Input | Audio,   Output | Audio,  Output | Audio,  Input | Control,
    Input | Control, Input | Control, Input | Control, Input | Control, Input | Control,
    EACH_FREQUENCY("Left", THRESHOLD_KIND) EACH_FREQUENCY("Right", THRESHOLD_KIND)
    Output | Control, Output | Control, Output | Control, Output | Control,
};

static const char *const names[PortCount] = {
    "Input left",
    "Input right",
    "Output left",
    "Output right",
    "Enabled",
    "Follow the saved preset",
    "Headphone correction",
    "Intensity",
    "Level of full scale (dB SPL)",
    "Program (0 speech, 1 music)",
    EACH_FREQUENCY("Left", THRESHOLD_NAME) EACH_FREQUENCY("Right", THRESHOLD_NAME)
    "Limiter reduction (dB)",
    "Output peak",
    "Preset status",
    "Headphone status",
};

static const LadspaRange ranges[PortCount] = {
    {0}, {0}, {0}, {0},
    {Switch | Default1, 0, 1},
    {Switch | Default1, 0, 1},
    {Switch | Default1, 0, 1},
    {Below | Above | Default1, 0, 1},
    {Below | Above | Default100, 60, 140},
    {Below | Above | Integer | Default0, 0, 1},
    EACH_FREQUENCY("Left", THRESHOLD_RANGE) EACH_FREQUENCY("Right", THRESHOLD_RANGE)
    // The default value of an output has no meaning. It is given because the program sox requires
    // it.
    {Below | Above | Default0, 0, 60},
    {Below | Above | Default0, 0, 2},
    {Below | Above | Integer | Default0, 0, 5},
    {Below | Above | Integer | Default0, 0, 5},
};

static void *createLadspa(const LadspaDescriptor *descriptor, unsigned long sampleRate) {
  return hearing_create((double)sampleRate);
}

static void connectLadspa(void *instance, unsigned long port, float *data) {
  if (port < PortCount) hearing_connect(instance, (uint32_t)port, data);
}

static void runLadspa(void *instance, unsigned long frameCount) {
  hearing_run(instance, frameCount < UINT32_MAX ? (uint32_t)frameCount : UINT32_MAX);
}

// The first call of `run` after activation computes the preset. Therefore `properties` does not
// contain the LADSPA property "hard real-time capable".
static const LadspaDescriptor ladspa = {
    .identifier = 4739137, .label = "hearing", .properties = 0,
    .name = "Hearing processing for a listener", .maker = "The HearingProcessing contributors", .copyright = "Apache-2.0",
    .portCount = PortCount, .portKinds = kinds, .portNames = names, .portRanges = ranges,
    .instantiate = createLadspa, .connect = connectLadspa, .activate = hearing_activate, .run = runLadspa,
    .deactivate = hearing_deactivate, .cleanup = hearing_destroy,
};

const LadspaDescriptor *ladspa_descriptor(unsigned long index) { return index == 0 ? &ladspa : NULL; }

static void *createLV2(
    const LV2Descriptor *descriptor, double sampleRate, const char *bundle, const void *const *features) {
  return hearing_create(sampleRate);
}

static void connectLV2(void *instance, uint32_t port, void *data) {
  if (port < PortCount) hearing_connect(instance, port, data);
}

static const LV2Descriptor lv2 = {
    .uri = "urn:hearing-processing:hearing", .instantiate = createLV2, .connect = connectLV2,
    .activate = hearing_activate, .run = hearing_run, .deactivate = hearing_deactivate, .cleanup = hearing_destroy,
};

const LV2Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &lv2 : NULL; }
